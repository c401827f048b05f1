import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../refusals/refusals.ts';
import { requireUnreserved, slugSchema, slugCandidates } from './slug.ts';

const isReserved = (slug: string): boolean => {
  try {
    requireUnreserved(slug);
    return false;
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
};

test.each([
  ['acme', 'acme'],
  [' Acme-2 ', 'acme-2'],
  ['a'.repeat(48), 'a'.repeat(48)],
])('%j is the slug %s', (text, slug) => {
  expect(slugSchema.parse(text)).toBe(slug);
});

test.each([
  '',
  'ab',
  'a'.repeat(49),
  '-acme',
  'acme-',
  'ac--me',
  'ac me',
  'ac/me',
  'ac.me',
  '__acme__',
  'åcme',
  7,
])('%j is refused', (text) => {
  expect(slugSchema.safeParse(text).success).toBe(false);
});

test.each(['api', 'admin', 'settings', 'www', 'sign-in'])('%s is reserved', (slug) => {
  expect(() => {
    requireUnreserved(slug);
  }).toThrow(expect.objectContaining({ status: 400, code: 'slug_reserved' }));
});

describe('the slugs made from a name', () => {
  test.each([
    ['Acme', 'acme'],
    ['  Café & Crème  ', 'cafe-creme'],
    ['Ünïcode GmbH', 'unicode-gmbh'],
  ])('%j are %s, and the same with a random ending', (name, slug) => {
    const [plain, random] = slugCandidates(name);
    expect(plain).toBe(slug);
    expect(random).toMatch(new RegExp(`^${slug}-[0-9a-z]{8}$`));
  });

  test.each([
    ['Admin', /^admin-[0-9a-z]{8}$/],
    ['A', /^a-[0-9a-z]{8}$/],
    ['日本', /^team-[0-9a-z]{8}$/],
  ])('%j are one slug with a random ending', (name, pattern) => {
    expect(slugCandidates(name)).toEqual([expect.stringMatching(pattern)]);
  });

  test('are valid and not reserved for every name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (name) => {
        for (const slug of slugCandidates(name)) {
          expect(slugSchema.parse(slug)).toBe(slug);
          expect(isReserved(slug)).toBe(false);
        }
      }),
    );
  });
});
