import { expect, test } from 'vitest';
import { addInterval, nextPeriodEnd } from './calendar.ts';

const seconds = (iso: string): number => Date.parse(iso) / 1000;

test.each([
  ['2026-01-31T10:00:00Z', 'month', 1, '2026-02-28T10:00:00Z'],
  ['2028-01-31T10:00:00Z', 'month', 1, '2028-02-29T10:00:00Z'],
  ['2026-11-30T00:00:00Z', 'month', 3, '2027-02-28T00:00:00Z'],
  ['2028-02-29T00:00:00Z', 'year', 1, '2029-02-28T00:00:00Z'],
  ['2026-12-15T23:59:59Z', 'year', 2, '2028-12-15T23:59:59Z'],
  ['2026-12-28T00:00:00Z', 'week', 1, '2027-01-04T00:00:00Z'],
  ['2026-02-28T00:00:00Z', 'day', 2, '2026-03-02T00:00:00Z'],
])('from %s, a period of one %s (times %i) ends at %s', (start, interval, count, end) => {
  expect(addInterval(seconds(start), interval, count)).toBe(seconds(end));
});

test('an unknown interval is an error', () => {
  expect(() => addInterval(0, 'fortnight', 1)).toThrow('fortnight');
});

test('periods come back to the day of their anchor after a short month', () => {
  const anchor = seconds('2026-01-31T10:00:00Z');
  const ends = [anchor];
  for (let period = 0; period < 3; period += 1) {
    ends.push(nextPeriodEnd(anchor, ends.at(-1) ?? anchor, 'month', 1));
  }
  expect(ends.slice(1)).toEqual(
    ['2026-02-28T10:00:00Z', '2026-03-31T10:00:00Z', '2026-04-30T10:00:00Z'].map(seconds),
  );
});
