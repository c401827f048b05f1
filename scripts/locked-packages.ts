import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { bundledPackages } from './notices.ts';
import { ROOT } from './paths.ts';

interface Lock {
  packages?: Record<string, { version?: string }>;
}

/**
 * A bundle has the packages that are installed, so after a change of the commit without `npm ci` it would have those of
 * another commit.
 *
 * @param folder the folder to which the paths are relative
 * @param files paths of the sources of a bundle
 * @throws Error with each package whose installed version is not that of `package-lock.json`
 */
export function assertLocked(folder: string, files: readonly string[], root = ROOT): void {
  const lockFile = join(root, 'package-lock.json');
  if (!existsSync(lockFile)) return;
  const { packages = {} } = JSON.parse(readFileSync(lockFile, 'utf8')) as Lock;
  const differing = bundledPackages(folder, files).flatMap(({ name, version, root: place }) => {
    const path = relative(root, place).split(sep).join('/');
    // Installed elsewhere, such as a package that a developer has linked.
    if (path.startsWith('..')) return [];
    const locked = packages[path]?.version;
    return locked === version ? [] : [`${name} ${version} instead of ${locked ?? 'none'}`];
  });
  if (differing.length === 0) return;
  throw new Error(
    `node_modules does not have the packages of package-lock.json. Run npm ci. There is ${differing.join(', ')}.`,
  );
}
