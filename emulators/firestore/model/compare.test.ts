import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparePaths, compareValues } from './compare.ts';
import { Timestamp } from './timestamp.ts';
import { GeoPoint, Reference } from './value.ts';
import type { Value } from './value.ts';

const scalar = fc.oneof(
  fc.constantFrom<Value>(null, NaN, 0, -0, 0n, Infinity, -Infinity, 2 ** 53, 2n ** 53n + 1n),
  fc.boolean(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double(),
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.uint8Array({ maxLength: 3 }),
  fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 })).map((at) => new Timestamp(...at)),
  fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 })).map((at) => new GeoPoint(...at)),
  fc.constantFrom('a/b', 'a/b/c/d', 'a!/b', 'a/__id5__', 'a/__id-10__').map((name) => new Reference(name)),
);

const { value: anyValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .dictionary(fc.string({ maxLength: 1 }), tie('value'), { maxKeys: 3 })
      .map((map) => new Map(Object.entries(map))),
    fc.array(fc.double(), { maxLength: 2 }).map(
      (value) =>
        new Map<string, Value>([
          ['__type__', '__vector__'],
          ['value', value],
        ]),
    ),
  ),
}));

test('comparing values is a total order', () => {
  fc.assert(
    fc.property(anyValue, anyValue, anyValue, (a, b, c) => {
      expect(compareValues(a, a)).toBe(0);
      expect(Math.sign(compareValues(a, b)) + Math.sign(compareValues(b, a))).toBe(0);
      const [low, middle, high] = [a, b, c].sort(compareValues);
      if (low === undefined || middle === undefined || high === undefined) return;
      expect(compareValues(low, high)).toBeLessThanOrEqual(0);
      if (compareValues(low, high) === 0) expect(compareValues(low, middle)).toBe(0);
    }),
  );
});

test('strings compare as their UTF-8 bytes do', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
      expect(Math.sign(compareValues(left, right))).toBe(bytes);
    }),
  );
});

test.each<[Value, Value, number]>([
  [2n ** 53n + 1n, 2 ** 53, 1],
  [1n, 1, 0],
  [0, -0, 0],
  [NaN, NaN, 0],
  [NaN, -Infinity, -1],
])('%s against %s', (left, right, order) => {
  expect(Math.sign(compareValues(left, right))).toBe(order);
});

test.each([
  ['a/b', 'a/b/c/d'],
  ['a/b', 'a!/b'],
  ['a/__id-3__', 'a/__id20__'],
  ['a/__id20__', 'a/A'],
])('path %s comes before %s', (left, right) => {
  expect(comparePaths(left, right)).toBeLessThan(0);
  expect(comparePaths(right, left)).toBeGreaterThan(0);
});
