import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCycles, folderOf, importsAcross, readPackages } from './module-graph.ts';
import { ROOT } from './paths.ts';

const packages = readPackages();

test.each(packages)('$name has no cycle of imports, types included', ({ modules }) => {
  expect(modules.length).toBeGreaterThan(0);
  expect(findCycles(modules)).toEqual([]);
});

test('the stand-ins import other packages by name, and are imported by name', () => {
  expect(importsAcross(packages).filter((crossing) => crossing.includes('emulators/'))).toEqual([]);
});

test('only tests, scripts, benches and create-hearth import the sources of another package by path', () => {
  const crossings = importsAcross(packages).filter(
    (crossing) => !/^(bench|create-hearth|scripts|tests)\//.test(crossing),
  );
  // The builds of the functions and of the web app check the installed packages, write the licenses of packages, and
  // delete the files of earlier builds.
  const imported = new Set(crossings.map((crossing) => crossing.split(' -> ')[1]));
  expect([...imported].sort()).toEqual([
    'scripts/locked-packages.ts',
    'scripts/notices.ts',
    'scripts/stale-files.ts',
  ]);
});

test('the page of internals gives a reason for each file of more than 250 lines', () => {
  const large = packages
    .flatMap(({ modules }) => modules)
    .filter(({ path, lines }) => lines > 250 && !/\.test\.tsx?$|\/generated\//.test(path))
    .map(({ path }) => path);
  const text = readFileSync(join(ROOT, 'docs/internals.md'), 'utf8');
  const section = /^## Large files$(.*)/ms.exec(text)?.[1] ?? '';
  const listed = [...section.matchAll(/^\| `([^`]+)` \| \S/gm)].map(([, path]) => path);
  expect(listed.sort()).toEqual(large.sort());
});

test('a cycle is found through any number of modules, and each only once', () => {
  const modules = Object.entries({ a: ['b'], b: ['c'], c: ['a', 'd'], d: ['e'], e: [], f: ['f'], g: ['a'] });
  const cycles = findCycles(modules.map(([path, imports]) => ({ path, lines: 1, imports })));
  expect(cycles).toEqual([['a', 'b', 'c'], ['f']]);
});

test('a file belongs to the innermost package', () => {
  const folders = ['.', 'emulators', 'emulators/stripe'];
  const files = ['emulators/stripe/main.ts', 'emulators/bin/start.ts', 'scripts/start.ts'];
  expect(files.map((file) => folderOf(file, folders))).toEqual(['emulators/stripe', 'emulators', '.']);
});
