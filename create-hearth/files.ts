import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The part of a package.json that a new project changes. */
export interface Manifest {
  name: string;
  version: string;
  workspaces: string[];
  scripts: Record<string, string>;
  /** The commit of Hearth that a project was made from. `npm run upgrade` reads it. */
  hearth?: { version: string; commit?: string };
}

/** The part of a package-lock.json that a new project changes. */
interface LockFile {
  name: string;
  packages: Record<string, { name?: string; workspaces?: string[] }>;
}

/** Replaces a part of a file of the project. @throws Error if the file does not have it */
export async function replaceIn(
  project: string,
  file: string,
  part: RegExp,
  replacement: string,
): Promise<void> {
  const path = join(project, file);
  const text = await readFile(path, 'utf8');
  if (!part.test(text)) throw new Error(`${file} of the template is not as expected.`);
  await writeFile(
    path,
    text.replace(part, () => replacement),
  );
}

/** Changes a JSON file that has the form of `JSON.stringify`. */
async function editJson(project: string, file: string, change: (content: unknown) => void): Promise<void> {
  const path = join(project, file);
  const content: unknown = JSON.parse(await readFile(path, 'utf8'));
  change(content);
  await writeFile(path, `${JSON.stringify(content, null, 2)}\n`);
}

export async function editManifest(project: string, change: (manifest: Manifest) => void): Promise<void> {
  await editJson(project, 'package.json', (content) => {
    change(content as Manifest);
  });
}

export async function editLockFile(project: string, change: (lock: LockFile) => void): Promise<void> {
  await editJson(project, 'package-lock.json', (content) => {
    change(content as LockFile);
  });
}
