import { expect, test } from 'vitest';
import { parseOrderBy } from './order-by.ts';

test.each([
  ['', []],
  ['a', [['a', 'ASCENDING']]],
  ['a asc', [['a', 'ASCENDING']]],
  [
    'a DESC, b.c',
    [
      ['a', 'DESCENDING'],
      ['b.c', 'ASCENDING'],
    ],
  ],
  [
    '`x, y` desc,__name__',
    [
      ['`x, y`', 'DESCENDING'],
      ['__name__', 'ASCENDING'],
    ],
  ],
])('%j', (text, expected) => {
  expect(parseOrderBy(text).map(({ field, direction }) => [field?.fieldPath, direction])).toEqual(expected);
});

test.each(['a b', 'a,,b', '`a'])('%j is refused', (text) => {
  expect(() => parseOrderBy(text)).toThrow('Invalid');
});
