import { build, type Metafile } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { bundle } from '../../functions/bundle.ts';

let metafile: Metafile;
beforeAll(async () => {
  ({ metafile } = await build({ ...bundle, metafile: true, write: false }));
});

/** The source files that are parsed before the first request: those of the entry and of all it imports statically. */
function loadedAtStart(): string[] {
  const pending = ['lib/index.js'];
  const seen = new Set<string>();
  for (const output of pending) {
    if (seen.has(output)) continue;
    seen.add(output);
    const imports = metafile.outputs[output]?.imports ?? [];
    pending.push(...imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path));
  }
  return [...seen].flatMap((output) => Object.keys(metafile.outputs[output]?.inputs ?? {}));
}

test.each([
  '/@google-cloud/firestore/',
  '/@google-cloud/storage/',
  '/stripe/',
  '/file-type/',
  '/firebase-admin/lib/app-check/',
  '/nodemailer/',
  '/busboy/',
])('a cold start does not load node_modules%s, but the bundle has it', (module) => {
  const inPackage = (file: string) => file.includes(`node_modules${module}`);
  expect(loadedAtStart().filter(inPackage)).toEqual([]);
  expect(Object.keys(metafile.inputs).some(inPackage)).toBe(true);
});
