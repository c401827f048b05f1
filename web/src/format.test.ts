import { expect, it } from 'vitest';
import { formatBytes } from './format.ts';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1200, '1.2 kB'],
  [10_485_760, '10.5 MB'],
  [2_000_000_000_000, '2,000 GB'],
])('writes %d bytes as %s', (bytes, expected) => {
  expect(formatBytes(bytes, 'en-US')).toBe(expected);
});
