import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeStaleFiles } from './stale-files.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'stale-'));
  mkdirSync(join(base, 'lib/chunks'), { recursive: true });
  for (const file of ['lib/new.js', 'lib/old.js', 'lib/chunks/new.js', 'lib/chunks/old.js']) {
    writeFileSync(join(base, file), '');
  }
});
afterEach(() => {
  rmSync(base, { recursive: true });
});

test('keeps the files of the new build, by relative or absolute path, and removes the others', async () => {
  await removeStaleFiles(join(base, 'lib'), base, ['lib/new.js', join(base, 'lib/chunks/new.js')]);
  const left = readdirSync(join(base, 'lib'), { recursive: true }).map(String).sort();
  expect(left).toEqual(['chunks', join('chunks', 'new.js'), 'new.js']);
});
