import { describe, expect, test } from 'vitest';
import { halve, subtract } from './round.service.ts';

test('a range is split by its time, and the newer half continues after the last visited subscription', () => {
  expect(halve({ from: 100, to: 201, after: 'sub_1' })).toEqual([
    { from: 151, to: 201, after: 'sub_1' },
    { from: 100, to: 150 },
  ]);
});

test('the parts of a range are disjoint and complete, down to one second', () => {
  const seconds = (from: number, to: number): number[] => {
    const parts = halve({ from, to });
    if (parts.length === 1) return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    return parts.flatMap((part) => seconds(part.from, part.to ?? 0));
  };
  expect(seconds(100, 120).sort()).toEqual(Array.from({ length: 21 }, (_, index) => 100 + index));
});

test('the subscriptions of one second, and a range without an end, stay together', () => {
  expect(halve({ from: 100, to: 100, after: 'sub_1' })).toEqual([{ from: 100, to: 100, after: 'sub_1' }]);
  expect(halve({ from: 100, after: 'sub_1' })).toEqual([{ from: 100, after: 'sub_1' }]);
});

describe('without the visited seconds, a range', () => {
  test.each([
    ['begins later', { from: 90, to: 110 }, [{ from: 111, to: 200 }]],
    ['ends earlier', { from: 150, to: 200 }, [{ from: 100, to: 149 }]],
    [
      'has a gap',
      { from: 120, to: 130 },
      [
        { from: 100, to: 119 },
        { from: 131, to: 200 },
      ],
    ],
    ['is gone', { from: 100, to: 200 }, []],
    ['stays, if they are elsewhere', { from: 201, to: 300 }, [{ from: 100, to: 200 }]],
    ['stays, if there are none', { from: 151, to: 150 }, [{ from: 100, to: 200 }]],
  ])('%s', (_how, visited, rest) => {
    expect(subtract([{ from: 100, to: 200 }], visited)).toEqual(rest);
    // The second visit changes nothing.
    expect(subtract(rest, visited)).toEqual(rest);
  });
});
