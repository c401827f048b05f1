import { expect, test } from 'vitest';
import { reported } from './programs.ts';

test('each build prints a line, and the first successful build after a failure is announced', async () => {
  const results = [true, false, false, true, true];
  const lines: string[] = [];
  const build = reported(
    'functions',
    () => (results.shift() === true ? Promise.resolve() : Promise.reject(new Error('A mistake in the code'))),
    (line) => lines.push(line.replace(/[\d.]+ s\./, '1.0 s.')),
  );

  for (let round = 0; round < 5; round++) await build();

  expect(lines).toEqual([
    'Built the functions in 1.0 s.',
    'The build of the functions failed. The last good build is still served.',
    'The build of the functions failed. The last good build is still served.',
    'Built the functions in 1.0 s. The build is fine again.',
    'Built the functions in 1.0 s.',
  ]);
});
