import { expect, test } from 'vitest';
import { fillMessage, formatBytes, formatDuration } from './message.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1200, '1.2 kB'],
  [10_485_760, '10.5 MB'],
  [500_000_000, '500 MB'],
  [5_000_000_000, '5 GB'],
  [2_000_000_000_000, '2,000 GB'],
])('%d bytes are written as %s', (bytes, expected) => {
  expect(formatBytes(bytes, 'en-US')).toBe(expected);
});

test.each([
  [0, '1 second'],
  [1, '1 second'],
  [99, '99 seconds'],
  [100, '2 minutes'],
  [299, '5 minutes'],
  [300, '5 minutes'],
  [5940, '99 minutes'],
  [6000, '2 hours'],
  [86_400, '24 hours'],
])('%d seconds are written as %s', (seconds, expected) => {
  expect(formatDuration(seconds, 'en-US')).toBe(expected);
});

test('a message is written in its language', () => {
  const values = { name: 'Pro', limit: 1000, size: 1_500_000, wait: 60 };
  expect(fillMessage('{name}: {limit}, {size}, {wait}', values, 'en-US')).toBe(
    'Pro: 1000, 1.5 MB, 60 seconds',
  );
  expect(fillMessage('{name}: {limit}, {size}, {wait}', values, 'de')).toBe('Pro: 1000, 1,5 MB, 60 Sekunden');
});

test('a value is never taken for a name in braces', () => {
  expect(fillMessage('{name} and {name}', { name: '{size}', size: 1 }, 'en-US')).toBe('{size} and {size}');
});
