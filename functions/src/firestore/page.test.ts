import { expect, test } from 'vitest';
import { pageRequestSchema } from './page.ts';

const encode = (text: string) => Buffer.from(text).toString('base64url');

test('a page has 50 items by default, and begins at the start', () => {
  expect(pageRequestSchema.parse({})).toEqual({ limit: 50 });
  expect(pageRequestSchema.parse({ limit: '1' })).toEqual({ limit: 1 });
  expect(pageRequestSchema.parse({ limit: '100' })).toEqual({ limit: 100 });
});

test.each(['1700000000000:abc', '0:a.b', '1:ünï', '1:a:b', `1:${'x'.repeat(128)}`])(
  'the cursor %j is accepted',
  (text) => {
    const [, at = '', id = ''] = /^(\d+):(.*)$/.exec(text) ?? [];
    expect(pageRequestSchema.parse({ cursor: encode(text) }).cursor).toEqual({
      at: new Date(Number(at)),
      id,
    });
  },
);

test.each([
  { limit: '0' },
  { limit: '101' },
  { limit: '1.5' },
  { limit: '' },
  { limit: ['1', '2'] },
  { cursor: '' },
  { cursor: 'nonsense' },
  { cursor: encode('abc') },
  { cursor: encode('1:') },
  { cursor: encode('-1:a') },
  { cursor: encode('1:.') },
  { cursor: encode('1:..') },
  { cursor: encode('1:__a__') },
  { cursor: encode('1:__\n__') },
  { cursor: encode('1:a/b') },
  { cursor: encode('999999999999999:a') },
  { cursor: encode(`1:${'x'.repeat(129)}`) },
  { cursor: 'x'.repeat(1025) },
  { offset: '1' },
])('%j is refused', (query) => {
  expect(pageRequestSchema.safeParse(query).success).toBe(false);
});
