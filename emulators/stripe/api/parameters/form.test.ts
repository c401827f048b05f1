import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidParameter } from '../errors.ts';
import { parseForm } from './form.ts';
import type { FormValue } from './form.ts';

/** Maps as entries, so that a difference is easy to read. */
function plain(value: FormValue): unknown {
  return typeof value === 'string' ? value : [...value].map(([key, child]) => [key, plain(child)]);
}

test.each([
  [
    'a=1&b=',
    [
      ['a', '1'],
      ['b', ''],
    ],
  ],
  [
    'a[b][c]=1&a[d]=2',
    [
      [
        'a',
        [
          ['b', [['c', '1']]],
          ['d', '2'],
        ],
      ],
    ],
  ],
  [
    'a[]=x&a[]=y',
    [
      [
        'a',
        [
          ['0', 'x'],
          ['1', 'y'],
        ],
      ],
    ],
  ],
  [
    'a[0][p]=x&a[1][p]=y',
    [
      [
        'a',
        [
          ['0', [['p', 'x']]],
          ['1', [['p', 'y']]],
        ],
      ],
    ],
  ],
  ['a%5Bb%5D=1+2%26', [['a', [['b', '1 2&']]]]],
  [
    '__proto__[x]=1&constructor=2',
    [
      ['__proto__', [['x', '1']]],
      ['constructor', '2'],
    ],
  ],
])('decodes %s', (encoded, expected) => {
  expect(plain(parseForm(encoded))).toEqual(expected);
});

test.each(['a[b=1', 'a]b=1', '[a]=1', '=1', 'a=1&a=2', 'a=1&a[b]=2', 'a[b]=1&a=2', `a${'[x]'.repeat(10)}=1`])(
  'refuses %s',
  (encoded) => {
    expect(() => parseForm(encoded)).toThrow(InvalidParameter);
  },
);

test('every body is decoded or refused, and no prototype changes', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('a', '1', '[', ']', '=', '&', '%5B', '%', '.', '__proto__', 'constructor'),
      }),
      (encoded) => {
        try {
          parseForm(encoded);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidParameter);
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
      },
    ),
  );
});
