import { expect, it } from 'vitest';
import { resultsText } from './results.ts';

const paged = (count: number, before = 0, hasMore = false) => ({
  items: { state: 'ready' as const, value: Array.from({ length: count }) },
  before,
  hasMore,
});

const say = (given: ReturnType<typeof paged>, isSearch = false, total?: number) =>
  resultsText({ names: ['member', 'members'], isSearch, paged: given, total });

it('a list of one page has a number', () => {
  expect([say(paged(0)), say(paged(1)), say(paged(2))]).toEqual(['No members', '1 member', '2 members']);
});

it('a page has the range of its items, and the total if it is known', () => {
  expect(say(paged(25, 0, true))).toBe('Members 1 to 25');
  expect(say(paged(5, 25), false, 30)).toBe('Members 26 to 30 of 30');
});

it('a search announces its results', () => {
  expect([say(paged(0), true), say(paged(1), true), say(paged(2), true)]).toEqual([
    'No member found',
    '1 member found',
    '2 members found',
  ]);
  expect(say(paged(25, 0, true), true)).toBe('The first 25 members found. Type more to find fewer.');
});

it('nothing is announced before the items are known', () => {
  expect(
    resultsText({ names: ['a', 'b'], isSearch: false, paged: { ...paged(0), items: { state: 'loading' } } }),
  ).toBe('');
});
