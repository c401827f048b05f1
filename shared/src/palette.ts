import { BRAND } from './brand.ts';

/** A color of the light and of the dark theme, each as `#rrggbb`. */
export interface Themed {
  light: string;
  dark: string;
}

/** Colors for mail and pages: the accent color of the brand, and colors that are derived from it. */
export interface Palette {
  /** Buttons and links. */
  accent: Themed;
  /** Buttons and links under the pointer, and text on `tint`. */
  accentStrong: Themed;
  /** Text on `accent` and `accentStrong`. */
  onAccent: Themed;
  /** The background of a selected item. */
  tint: Themed;
}

/** The background of cards. */
export const SURFACE: Themed = { light: '#ffffff', dark: '#211d1a' };

const WHITE = '#ffffff';
const BLACK = '#000000';

/** https://www.w3.org/TR/WCAG22/#contrast-minimum */
export const MIN_CONTRAST = 4.5;

/** Derives all colors from the accent color. Text on the accent color is white if that is readable, otherwise black. */
export function paletteOf(accent: Themed): Palette {
  return {
    accent,
    accentStrong: { light: mix(accent.light, BLACK, 0.2), dark: mix(accent.dark, WHITE, 0.3) },
    onAccent: { light: textOn(accent.light), dark: textOn(accent.dark) },
    tint: { light: mix(SURFACE.light, accent.light, 0.1), dark: mix(SURFACE.dark, accent.dark, 0.15) },
  };
}

const textOn = (color: string) => (contrast(color, WHITE) >= MIN_CONTRAST ? WHITE : BLACK);

/** The contrast of two colors, from 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color)
    .map((channel) => channel / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param share of `other`, from 0 to 1 */
function mix(color: string, other: string, share: number): string {
  const others = channelsOf(other);
  const mixed = channelsOf(color).map((value, index) => value + ((others[index] ?? 0) - value) * share);
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

function channelsOf(color: string): number[] {
  return color.match(/[0-9a-f]{2}/gi)?.map((channel) => parseInt(channel, 16)) ?? [];
}

/** The colors of this app. */
export const PALETTE: Palette = paletteOf(BRAND.accent);
