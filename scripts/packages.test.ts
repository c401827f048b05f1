import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './paths.ts';

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const MANIFESTS = [
  '.',
  'shared',
  'functions',
  'emulators',
  'client',
  'web',
  'examples/vite',
  'examples/react-native',
].map((folder) => {
  const text = readFileSync(join(ROOT, folder, 'package.json'), 'utf8');
  return JSON.parse(text) as Manifest;
});

test('packages declared in several places have one version range, so that only one copy is installed', () => {
  const ranges = new Map<string, Set<string>>();
  for (const { dependencies, devDependencies } of MANIFESTS) {
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
      ranges.set(name, (ranges.get(name) ?? new Set()).add(range));
    }
  }
  const differing = [...ranges]
    .filter(([, found]) => found.size > 1)
    .map(([name, found]) => [name, ...found]);
  expect(differing).toEqual([]);
});
