import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ROOT } from './paths.ts';

const fileSchema = z.object({ projects: z.record(z.string(), z.string()).default({}) });

/** The bucket that the Firebase CLI gives a project in the emulators. */
export const emulatedBucket = (projectId: string) => `${projectId}.appspot.com`;

/** The files that name projects, and the output for the resolved one. */
export interface ProjectSources {
  /** The file with the aliases, as the Firebase CLI writes it. */
  file: string;
  say: (line: string) => void;
}

const SOURCES: ProjectSources = { file: join(ROOT, '.firebaserc'), say: console.error };

/**
 * The id of a Firebase project that was named by its id or by an alias of `.firebaserc`, such as `production`. Says
 * which project an alias stands for.
 */
export function resolveProject(idOrAlias: string, { file, say }: ProjectSources = SOURCES): string {
  const { projects } = existsSync(file)
    ? fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    : fileSchema.parse({});
  const id = Object.hasOwn(projects, idOrAlias) ? projects[idOrAlias] : undefined;
  if (id === undefined) return idOrAlias;
  say(`Project: ${id} (${idOrAlias} in .firebaserc)`);
  return id;
}
