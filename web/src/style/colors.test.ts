import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BRAND } from '@hearth/shared/brand';
import { contrast, PALETTE, MIN_CONTRAST, SURFACE } from '@hearth/shared/palette';
import { expect, test } from 'vitest';
import firebaseJson from '../../../firebase.json' with { type: 'json' };

const style = readFileSync(join(import.meta.dirname, 'base.css'), 'utf8');

/** The value of a variable by theme. */
function colorOf(name: string) {
  const [, light = '', dark = ''] =
    new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(style) ?? [];
  return { light, dark };
}

test.each(['page', 'surface', 'sunken'])('links are readable on the color %s', (name) => {
  const background = colorOf(name);
  for (const theme of ['light', 'dark'] as const) {
    expect(background[theme]).not.toBe('');
    expect(contrast(PALETTE.accent[theme], background[theme])).toBeGreaterThanOrEqual(MIN_CONTRAST);
    expect(contrast(PALETTE.accentStrong[theme], background[theme])).toBeGreaterThanOrEqual(MIN_CONTRAST);
  }
});

test('the text of the pages is readable on the tint of the accent color', () => {
  for (const name of ['text', 'muted']) {
    for (const theme of ['light', 'dark'] as const)
      expect(contrast(colorOf(name)[theme], PALETTE.tint[theme])).toBeGreaterThanOrEqual(MIN_CONTRAST);
  }
});

test('the tint is made for cards of this color', () => {
  expect(colorOf('surface')).toEqual(SURFACE);
});

test('the security policy of the pages allows the logo', () => {
  const policies = firebaseJson.hosting.headers
    .flatMap(({ headers }) => headers)
    .filter(({ key }) => key === 'Content-Security-Policy');
  const images = policies.map(({ value }) => /img-src ([^;]*)/.exec(value)?.[1]?.split(' ') ?? []);
  expect(images).toHaveLength(1);
  if (BRAND.logoUrl !== null) expect(images[0]).toContain(new URL(BRAND.logoUrl).origin);
});
