import { expect, test } from 'vitest';
import { requestLine, terminal } from './terminal.ts';

/** Passes lines to the terminal. @returns what it shows */
function shownFor(...lines: string[]): string[] {
  const shown: string[] = [];
  const show = terminal((text) => shown.push(text));
  for (const line of lines) show(line);
  return shown;
}

test('the line of a request has its method, its path, its status and its time', () => {
  const line = requestLine({ method: 'GET', path: '/api/health', status: 200, milliseconds: 3.4 });

  expect(line).toBe('GET /api/health 200 3 ms');
  expect(shownFor(line)).toEqual([line]);
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
  expect(shownFor(line)).toEqual(shown === undefined ? [] : [shown]);
});

test('the terminal does not show rules with an error as updated', () => {
  const broken = "⚠  firestore.rules:3:1 - ERROR mismatched input 'match'";
  const unused = '⚠  firestore.rules:4:1 - WARNING Unused function: isOwner.';
  const updated = '✔  firestore: Rules updated.';

  expect(shownFor(broken, updated, unused, updated)).toEqual([
    broken,
    'The rules were not updated. The last good ones are still in force.',
    unused,
    updated,
  ]);
});
