import { statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ROOT } from './paths.ts';

/** One change of a file is reported several times, and an editor writes several files. */
const SETTLE_MS = 50;

const NO_SOURCE = /(?:^|\/)(?:node_modules|dist|lib)(?:\/|$)|\.test\.tsx?$|(?:~|\.swp|\.tmp)$/;

/**
 * Calls `build` after each change of the sources. Changes during a build lead to one more build after it.
 *
 * A build in a process of its own needs no memory between two changes. The bundlers' own watch modes keep everything
 * that they have read: 390 MB for the functions and 500 MB for the web app.
 *
 * @param sources folders and files, relative to the repository
 * @returns ends it
 */
export function watchSources(sources: readonly string[], build: () => Promise<void>): () => void {
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
  const watchers = sources.map((source) => watchSource(join(ROOT, source), settle));
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}

/** A file is watched through its folder, because editors replace a file instead of writing it. */
function watchSource(path: string, changed: () => void): FSWatcher {
  if (!statSync(path).isFile())
    return watch(path, { recursive: true }, (_event, file) => {
      if (file !== null && isSource(file)) changed();
    });
  return watch(dirname(path), (_event, file) => {
    if (file === basename(path)) changed();
  });
}

/**
 * False for a file below a watched folder whose change builds nothing: tests, results of builds, copies of an editor.
 */
export function isSource(file: string): boolean {
  return !NO_SOURCE.test(file);
}

/** Whether a change of a file builds again. The file and the sources are relative to the repository. */
export function isWatched(file: string, sources: readonly string[]): boolean {
  return sources.some((source) => file === source || (file.startsWith(`${source}/`) && isSource(file)));
}
