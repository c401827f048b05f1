import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { bundle } from '../../functions/bundling/bundle.ts';
import { slimFirestore } from '../../functions/bundling/slim-firestore.ts';
import { slimStart } from '../../functions/bundling/slim-start.ts';
import { bundledPackages, renderNotices } from '../../scripts/notices.ts';
import { FUNCTIONS, ROOT } from '../../scripts/paths.ts';
import { BUILDS } from '../../scripts/programs.ts';
import { isWatched } from '../../scripts/watch.ts';

let metafile: Metafile;
beforeAll(async () => {
  ({ metafile } = await build({ ...bundle, metafile: true, write: false }));
});

/** The files that are parsed before the first request: the entry and all that it imports statically. */
function outputsAtStart(): string[] {
  const pending = ['lib/index.js'];
  const seen = new Set<string>();
  for (const output of pending) {
    if (seen.has(output)) continue;
    seen.add(output);
    const imports = metafile.outputs[output]?.imports ?? [];
    pending.push(...imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path));
  }
  return [...seen];
}

/** The source files in them. */
function loadedAtStart(): string[] {
  return outputsAtStart().flatMap((output) => Object.keys(metafile.outputs[output]?.inputs ?? {}));
}

test.each([
  '/firebase-admin/',
  '/google-auth-library/',
  '/@google-cloud/firestore/',
  '/@google-cloud/storage/',
  '/stripe/',
  '/file-type/',
  '/nodemailer/',
  '/busboy/',
  '/@opentelemetry/',
])('a cold start does not load node_modules%s, but the bundle has it', (module) => {
  const inPackage = (file: string) => file.includes(`node_modules${module}`);
  expect(loadedAtStart().filter(inPackage)).toEqual([]);
  expect(Object.keys(metafile.inputs).some(inPackage)).toBe(true);
});

test('the bundle does not contain the unused body parsers', () => {
  expect(Object.keys(metafile.inputs).filter((file) => /\/(body-parser|iconv-lite)\//.test(file))).toEqual(
    [],
  );
});

test('a cold start parses less than 1.8 MB', () => {
  const bytes = outputsAtStart().map((output) => metafile.outputs[output]?.bytes ?? 0);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_800_000);
});

test('a build fails if firebase-functions does not import the Admin SDK', async () => {
  const stdin = { contents: "console.log('no SDK')" };
  const building = build({ stdin, plugins: [slimStart], write: false, logLevel: 'silent' });
  await expect(building).rejects.toThrow(/firebase-functions does not import the Admin SDK as before/);
});

test('npm start watches every source of the bundle', () => {
  const inputs = Object.keys(metafile.inputs).filter((file) => !/node_modules\/|^left-out:/.test(file));
  const files = inputs.map((file) => relative(ROOT, join(FUNCTIONS, file)));
  expect(files).toEqual(expect.arrayContaining(['functions/src/index.ts', 'functions/plans.json']));
  expect(files.filter((file) => !isWatched(file, BUILDS.functions.sources))).toEqual([]);
});

test('no package is bundled twice in one version', async () => {
  const folders = new Set(
    Object.keys(metafile.inputs).map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]),
  );
  const ids: string[] = [];
  for (const folder of folders) {
    if (folder === undefined) continue;
    const manifest = await readFile(join(FUNCTIONS, folder, 'package.json'), 'utf8');
    const { name, version } = JSON.parse(manifest) as { name: string; version: string };
    ids.push(`${name}@${version}`);
  }
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('the licenses of all bundled packages are deployed with them', () => {
  const packages = bundledPackages(FUNCTIONS, Object.keys(metafile.inputs));
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['busboy', 'express', 'firebase-admin', 'stripe', 'zod']));
  const unstated = packages.filter(({ license }) => license === 'not stated').map(({ name }) => name);
  expect(unstated).toEqual([]);
  const notices = renderNotices(packages);
  for (const { name, version } of packages) expect(notices).toContain(`${name} ${version} (`);
  expect(notices).toContain('Permission is hereby granted');
});

test('loading the Firestore client parses less than 3 MB', () => {
  const chunk = Object.values(metafile.outputs).find(({ entryPoint }) =>
    entryPoint?.endsWith('firebase-admin/lib/esm/firestore/index.js'),
  );
  expect(chunk?.bytes).toBeLessThan(3_000_000);
});

test('a build fails if the Firestore client has no module that the bundle leaves out', async () => {
  const stdin = { contents: "console.log('no Firestore client')" };
  const building = build({ stdin, plugins: [slimFirestore], write: false, logLevel: 'silent' });
  await expect(building).rejects.toThrow(/The Firestore client has no module .*iamService/);
});
