import { watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.ts';

/** One change of a file is reported several times, and an editor writes several files. */
const SETTLE_MS = 50;

const NO_SOURCE = /(?:^|\/)(?:node_modules|dist|lib)(?:\/|$)|\.test\.tsx?$|(?:~|\.swp|\.tmp)$/;

/**
 * Calls `build` after each change below the folders. Changes during a build lead to one more build after it.
 *
 * A build in a process of its own needs no memory between two changes. The bundlers' own watch modes keep everything that
 * they have read: 390 MB for the functions and 500 MB for the web app.
 *
 * @param folders relative to the repository
 * @returns ends it
 */
export function watchSources(folders: readonly string[], build: () => Promise<void>): () => void {
  let pending = false;
  let building = false;
  const run = async () => {
    if (building) return;
    building = true;
    while (pending) {
      pending = false;
      // A build that fails has printed why.
      await build().catch(() => undefined);
    }
    building = false;
  };
  const settle = () => {
    if (pending) return;
    pending = true;
    setTimeout(() => void run(), SETTLE_MS);
  };
  const watchers: FSWatcher[] = folders.map((folder) =>
    watch(join(ROOT, folder), { recursive: true }, (_event, file) => {
      if (file !== null && isSource(file)) settle();
    }),
  );
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}

/** False for a file below a watched folder whose change builds nothing: tests, results of builds, copies of an editor. */
export function isSource(file: string): boolean {
  return !NO_SOURCE.test(file);
}
