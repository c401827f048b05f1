import { expect, test } from 'vitest';
import { contrast, PALETTE, paletteOf, MIN_CONTRAST, SURFACE, type Palette } from './palette.ts';

const THEMES = ['light', 'dark'] as const;

/** The contrast of each text with each background behind it, by theme. */
function contrasts({ accent, accentStrong, onAccent, tint }: Palette) {
  return THEMES.map((theme) => ({
    'text on the accent color': contrast(onAccent[theme], accent[theme]),
    'text under the pointer': contrast(onAccent[theme], accentStrong[theme]),
    'the accent color on a card': contrast(accent[theme], SURFACE[theme]),
    'the strong accent color on the tint': contrast(accentStrong[theme], tint[theme]),
  }));
}

test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.478],
  ['#ffffff', '#777777', 4.478],
  ['#b93c0b', '#b93c0b', 1],
])('the contrast of %s and %s is %d', (one, other, expected) => {
  expect(contrast(one, other)).toBeCloseTo(expected, 2);
});

test('the colors of shared/brand.json are readable', () => {
  for (const theme of contrasts(PALETTE)) {
    for (const [what, value] of Object.entries(theme))
      expect(value, what).toBeGreaterThanOrEqual(MIN_CONTRAST);
  }
});

test('text on the accent color is white if that is readable, otherwise black', () => {
  expect(paletteOf({ light: '#0b5cb9', dark: '#7cc4ff' }).onAccent).toEqual({
    light: '#ffffff',
    dark: '#000000',
  });
});

test('text on any accent color is readable', () => {
  const channels = ['00', '33', '66', '99', 'cc', 'ff'];
  const colors = channels.flatMap((red) =>
    channels.flatMap((green) => channels.map((blue) => `#${red}${green}${blue}`)),
  );
  const unreadable = colors.filter((color) => {
    const { onAccent } = paletteOf({ light: color, dark: color });
    return contrast(onAccent.light, color) < MIN_CONTRAST;
  });
  expect(unreadable).toEqual([]);
});
