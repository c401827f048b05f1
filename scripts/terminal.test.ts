import { expect, test } from 'vitest';
import { requestLine, terminalLine } from './terminal.ts';

test('the line of a request has its method, its path, its status and its time', () => {
  const line = requestLine({ method: 'GET', path: '/api/health', status: 200, milliseconds: 3.4 });

  expect(line).toBe('GET /api/health 200 3 ms');
  expect(terminalLine(line)).toBe(line);
});

test.each([
  ['a warning', '{"severity":"WARNING","message":"Mail was not sent"}', 'WARNING Mail was not sent'],
  [
    'a fault',
    '>  {"severity":"ERROR","message":"It failed","cause":"Error: no\\n    at a.ts"}',
    'ERROR It failed\nError: no\n    at a.ts',
  ],
  [
    'the line of a request, which is already printed',
    '{"severity":"INFO","message":"health 200","route":"health"}',
    undefined,
  ],
  ['other JSON', '{"a":1}', '{"a":1}'],
  ['a line that is not JSON', '{a}', '{a}'],
  ['an empty line', ' ', undefined],
  ['the line of a server that listens', 'The API listens.', undefined],
])('the terminal shows %s', (_case, line, shown) => {
  expect(terminalLine(line)).toBe(shown);
});

test('the terminal says that rules with an error are not in force, and nothing wrong about the next ones', () => {
  const broken = "⚠  firestore.rules:3:1 - ERROR mismatched input 'match'";
  const updated = '✔  firestore: Rules updated.';

  expect([broken, '⚠  Failed to update rules', updated].map(terminalLine)).toEqual([
    broken,
    'The rules were not updated. The last good ones are still in force.',
    updated,
  ]);
});
