import { describe, expect, test } from 'vitest';
import { hasOtherBytes, isEventOutdated, needsUrl } from './generation.ts';

/** Beyond the numbers that JavaScript represents exactly. */
const EARLIER = '9007199254740992';
const RECORDED = '9007199254740993';
const LATER = '9007199254740994';

const record = { generation: RECORDED, md5Hash: 'hash', status: 'stored', url: 'https://a' } as const;
const event = (generation: string, md5Hash = 'hash') => ({ generation, md5Hash });

test.each([
  [EARLIER, true],
  [RECORDED, false],
  [LATER, false],
])('an event of generation %s is outdated: %s', (generation, expected) => {
  expect(isEventOutdated(event(generation), record)).toBe(expected);
});

test('no event is outdated before a generation is recorded', () => {
  expect(isEventOutdated(event(EARLIER), { ...record, generation: null })).toBe(false);
});

test('other bytes are recognized by their hash, once it is recorded', () => {
  expect(hasOtherBytes(event(LATER), record)).toBe(false);
  expect(hasOtherBytes(event(LATER, 'other'), record)).toBe(true);
  expect(hasOtherBytes(event(LATER, 'other'), { ...record, md5Hash: null })).toBe(false);
});

describe('a stored file needs a new URL', () => {
  test.each([
    [RECORDED, false],
    [EARLIER, false],
    [LATER, true],
  ])('for the event of generation %s: %s', (generation, expected) => {
    expect(needsUrl(record, event(generation))).toBe(expected);
  });

  test('if it has no URL for its own generation', () => {
    const withoutUrl = { ...record, url: null };
    expect(needsUrl(withoutUrl, event(RECORDED))).toBe(true);
    expect(needsUrl(withoutUrl, event(EARLIER))).toBe(false);
    expect(needsUrl({ ...withoutUrl, generation: null }, event(RECORDED))).toBe(false);
  });
});

test.each(['pending', 'refused'] as const)('a %s upload needs no URL', (status) => {
  expect(needsUrl({ ...record, status, url: null }, event(LATER))).toBe(false);
});
