import { expect, it } from 'vitest';
import { endOf, isEnding } from './status.ts';

const [PERIOD_END, OTHER_END] = [1_900_000_000, 1_800_000_000];

it.each([
  ['that renews', { cancel_at: null, cancel_at_period_end: false }, null],
  [
    'that was cancelled at the end of its period',
    { cancel_at: null, cancel_at_period_end: true },
    PERIOD_END,
  ],
  ['that was cancelled in the portal', { cancel_at: OTHER_END, cancel_at_period_end: false }, OTHER_END],
  ['with both fields', { cancel_at: OTHER_END, cancel_at_period_end: true }, OTHER_END],
])('a subscription %s has its end', (_which, subscription, expected) => {
  expect(endOf(subscription, PERIOD_END)).toBe(expected);
  expect(isEnding(subscription)).toBe(expected !== null);
});
