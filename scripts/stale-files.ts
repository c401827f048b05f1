import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/**
 * Removes the files of earlier builds from a folder. It is called after the new build, because an emulator may be
 * serving the folder meanwhile.
 *
 * @param kept files of the new build, absolute or relative to `base`
 */
export async function removeStaleFiles(folder: string, base: string, kept: readonly string[]): Promise<void> {
  const current = new Set(kept.map((file) => resolve(base, file)));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const stale = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !current.has(file));
  await Promise.all(stale.map((file) => rm(file)));
}
