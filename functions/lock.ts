import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Writes package-lock.json of this folder, because the folder is deployed without the lock file of the workspaces. The
 * versions are the same in both files, so that the deployed versions are the tested ones.
 */

interface Locked {
  version?: string;
  link?: boolean;
}

interface Lock {
  lockfileVersion: number;
  packages: Record<string, Locked>;
}

const readJson = async <Value>(path: string) => JSON.parse(await readFile(path, 'utf8')) as Value;

/** The packages as they would be found from this folder: its own node_modules come before those of the root. */
function seenFromHere(packages: Lock['packages']): Lock['packages'] {
  const own = Object.entries(packages).flatMap(([path, locked]) =>
    path.startsWith('functions/node_modules/') ? [[path.slice('functions/'.length), locked] as const] : [],
  );
  const replaced = own.map(([path]) => path);
  const hoisted = Object.entries(packages).filter(
    ([path, { link }]) =>
      path.startsWith('node_modules/') &&
      link !== true &&
      !replaced.some((name) => path === name || path.startsWith(`${name}/`)),
  );
  return Object.fromEntries([...hoisted, ...own]);
}

const here = import.meta.dirname;
const folder = await mkdtemp(join(tmpdir(), 'hearth-lock-'));
try {
  const manifest = await readJson<Locked & { name: string }>(join(here, 'package.json'));
  const { lockfileVersion, packages } = await readJson<Lock>(join(here, '../package-lock.json'));
  const { name, version } = manifest;
  const seed = { name, version, lockfileVersion, requires: true, packages: seenFromHere(packages) };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(seed));
  // Removes packages that this folder does not need. The URLs of packages depend on the machine, and are left out.
  const options = ['--package-lock-only', '--ignore-scripts', '--omit-lockfile-registry-resolved'];
  execFileSync('npm', ['install', ...options, '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  await writeFile(join(here, 'package-lock.json'), await readFile(join(folder, 'package-lock.json')));
} finally {
  await rm(folder, { recursive: true });
}
