import { expect, it } from 'vitest';
import { initialOf } from './picture.tsx';

it.each([
  ['ann ash', 'A'],
  ['', ''],
  ['e\u0301mile', '\u00C9'],
  ['\u1100\u1161na', '\uAC00'],
  ['q\u0323\u0307x', 'Q\u0323\u0307'],
  ['𝒜nn', '𝒜'],
  ['🇩🇪 Team', '🇩🇪'],
  [
    '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} Team',
    '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
  ],
  ['👩🏽\u200D🚀 Ann', '👩🏽\u200D🚀'],
  ['❤\uFE0F\u200D🔥 Ann', '❤\uFE0F\u200D🔥'],
  ['1\uFE0F\u20E3 Team', '1\uFE0F\u20E3'],
])('the first letter or emoji of %s is %s', (name, initial) => {
  expect(initialOf(name)).toBe(initial);
});
