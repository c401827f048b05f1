import { expect, test } from 'vitest';
import { findCycles, folderOf, importsAcross, readPackages } from './module-graph.ts';

const packages = readPackages();

test.each(packages)('$name has no cycle of imports, types included', ({ modules }) => {
  expect(modules.length).toBeGreaterThan(0);
  expect(findCycles(modules)).toEqual([]);
});

test('the stand-ins import other packages by name, and are imported by name', () => {
  expect(importsAcross(packages).filter((crossing) => crossing.includes('emulators/'))).toEqual([]);
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
