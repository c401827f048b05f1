import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, open, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The global header of an archive and its content. */
const HEADER_BYTES = 1024;

/** Names of files and folders that are made again in each project, or are secret. */
const LEFT_OUT = new Set(['node_modules', '.git', 'lib', 'dist', '.env.local', '.secret.local', '.firebase']);

/**
 * The template of a published package, which is packed with it; otherwise the checkout that this file is in.
 */
export function defaultTemplate(): string {
  const packed = join(import.meta.dirname, 'template.tar');
  return existsSync(packed) ? packed : resolve(import.meta.dirname, '..');
}

/**
 * Writes the files of a template into a folder. From a repository they are the committed files.
 *
 * @param template a folder, or an archive that `git archive` made
 * @returns the commit of the template, if it has one
 */
export async function unpackTemplate(template: string, folder: string): Promise<string | undefined> {
  await mkdir(folder, { recursive: true });
  if (template.endsWith('.tar')) return unpack(template, folder);
  if (!(await isRepository(template))) {
    await cp(template, folder, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
    return undefined;
  }
  const temporary = await mkdtemp(join(tmpdir(), 'create-hearth-'));
  try {
    const archive = join(temporary, 'template.tar');
    await archiveOf(template, archive);
    return await unpack(archive, folder);
  } finally {
    await rm(temporary, { recursive: true });
  }
}

/** Packs the committed files of a repository. The archive remembers the commit. */
export async function archiveOf(repository: string, archive: string): Promise<void> {
  await run('git', ['archive', '--format=tar', `--output=${archive}`, 'HEAD'], { cwd: repository });
}

async function unpack(archive: string, folder: string): Promise<string | undefined> {
  await run('tar', ['-xf', archive, '-C', folder]);
  // `git archive` writes the commit into the header, see `git help get-tar-commit-id`.
  const file = await open(archive);
  try {
    const { buffer } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return /comment=([0-9a-f]{40,64})\n/.exec(buffer.toString('latin1'))?.[1];
  } finally {
    await file.close();
  }
}

/** Whether a folder is the root of a repository, not only a folder within one. */
async function isRepository(folder: string): Promise<boolean> {
  const root = await run('git', ['rev-parse', '--show-toplevel'], { cwd: folder }).catch(() => undefined);
  return root !== undefined && root.stdout.trim() === (await realpath(folder));
}
