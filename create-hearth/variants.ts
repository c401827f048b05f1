import { cp } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that an owner changes, as folders of `testing/` that have the paths of a project. */
export type OwnFiles = 'plans' | 'owner';

/** A project that has to pass its tests. */
export interface Variant {
  /** The options that make it. */
  options: readonly string[];
  /**
   * The files that its owner has changed.
   *
   * - `plans`: other plans, one of which was renamed, and extras.
   * - `owner`: the brand, the README and settings in `functions/.env`.
   */
  ownFiles: readonly OwnFiles[];
}

const named = ['--yes', '--name', 'Light & "House"'];

/** The projects that are tested. */
export const VARIANTS = {
  unchanged: { options: ['--yes'], ownFiles: [] },
  'own-files': { options: named, ownFiles: ['plans', 'owner'] },
  'own-files-without-pages': { options: [...named, '--no-pages'], ownFiles: ['plans', 'owner'] },
  'one-paid-plan': { options: [...named, '--plans', 'free,business'], ownFiles: ['owner'] },
  'free-without-pages': { options: [...named, '--plans', 'free', '--no-pages'], ownFiles: [] },
} satisfies Record<string, Variant>;

/**
 * Writes the files of a variant into a new project, as its owner does.
 *
 * @param run runs a program of the project, in which packages are installed
 */
export async function writeOwnFiles(
  project: string,
  { ownFiles }: Variant,
  run: (...args: string[]) => Promise<unknown>,
): Promise<void> {
  for (const folder of ownFiles) {
    await cp(join(import.meta.dirname, 'testing', folder), project, { recursive: true });
  }
  if (ownFiles.includes('plans')) await run('scripts/plan-tables.ts');
}
