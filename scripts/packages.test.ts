import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './paths.ts';

interface Manifest {
  name: string;
  version?: string;
  private?: boolean;
  workspaces?: string[];
  exports?: object;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
}

const FOLDERS = ['.', ...(readManifest('.').workspaces ?? [])];
const MANIFESTS = FOLDERS.map(readManifest);

test.each(FOLDERS.filter((folder) => folder.startsWith('emulators')))(
  'the stand-in in %s is a package with a version, exports and a README',
  (folder) => {
    const { version, exports } = readManifest(folder);
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(exports).toBeDefined();
    expect(existsSync(join(ROOT, folder, 'README.md'))).toBe(true);
  },
);

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
