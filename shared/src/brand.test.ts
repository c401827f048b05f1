import { expect, test } from 'vitest';
import { BRAND } from './brand.ts';

test('the app has a name of one line', () => {
  expect(BRAND.name).toMatch(/^\S.{0,48}\S$/);
});

test('the accent colors have the form that mail programs read', () => {
  for (const color of Object.values(BRAND.accent)) expect(color).toMatch(/^#[0-9a-f]{6}$/);
});

test('links have URLs that a browser or a mail program opens', () => {
  const links = [BRAND.logoUrl, BRAND.termsUrl, BRAND.privacyUrl].filter((link) => link !== null);
  for (const link of links) expect(new URL(link).protocol).toBe('https:');
  if (BRAND.supportUrl !== null) expect(new URL(BRAND.supportUrl).protocol).toMatch(/^(https|mailto):$/);
});
