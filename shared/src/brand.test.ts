import { expect, test } from 'vitest';
import { BRAND } from './brand.ts';

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const channels = /^#(..)(..)(..)$/.exec(color)?.slice(1) ?? [];
  const [red = 0, green = 0, blue = 0] = channels
    .map((channel) => parseInt(channel, 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test('the app has a name of one line', () => {
  expect(BRAND.name).toMatch(/^\S.{0,48}\S$/);
});

test('text on the accent colors is readable', () => {
  for (const color of Object.values(BRAND.accent)) expect(color).toMatch(/^#[0-9a-f]{6}$/);
  expect(contrast(BRAND.accent.light, '#ffffff')).toBeGreaterThan(4.5);
  expect(contrast(BRAND.accent.dark, '#1d1d1b')).toBeGreaterThan(4.5);
});

test('links have URLs that a browser or a mail program opens', () => {
  const links = [BRAND.logoUrl, BRAND.termsUrl, BRAND.privacyUrl].filter((link) => link !== null);
  for (const link of links) expect(new URL(link).protocol).toBe('https:');
  if (BRAND.supportUrl !== null) expect(new URL(BRAND.supportUrl).protocol).toMatch(/^(https|mailto):$/);
});
