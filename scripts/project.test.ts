import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resolveProject } from './project.ts';

/** Resolves a name by a file with this text; undefined for no file. */
function resolve(name: string, text: string | undefined): { id: string; said: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-project-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, '.firebaserc');
  if (text !== undefined) writeFileSync(file, text);
  const said: string[] = [];
  return { id: resolveProject(name, { file, say: (line) => said.push(line) }), said };
}

const ALIASES = JSON.stringify({ projects: { production: 'acme-1' }, targets: {} });

test('an alias stands for its project, which is said', () => {
  expect(resolve('production', ALIASES)).toEqual({
    id: 'acme-1',
    said: ['Project: acme-1 (production in .firebaserc)'],
  });
});

test.each([
  ['acme-2', ALIASES],
  ['constructor', ALIASES],
  ['acme-1', '{}'],
  ['acme-1', undefined],
])('%s is an id', (name, text) => {
  expect(resolve(name, text)).toEqual({ id: name, said: [] });
});
