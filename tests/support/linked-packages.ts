import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from '../../scripts/paths.ts';

/** The scope of the workspaces, and files that are made again. */
const OWN = ['@hearth', '.cache'];

/**
 * Gives a project the packages that are installed here, and its own workspaces, as `npm ci` would. Downloads nothing.
 */
export async function linkPackages(project: string): Promise<void> {
  const { workspaces } = await readManifest<{ workspaces: string[] }>(project);
  for (const folder of ['.', ...workspaces]) {
    const installed = join(ROOT, folder, 'node_modules');
    if (!existsSync(installed)) continue;
    const names = (await readdir(installed)).filter((name) => !OWN.includes(name));
    await Promise.all(
      names.map((name) => link(join(installed, name), join(project, folder, 'node_modules', name))),
    );
  }
  for (const folder of workspaces) {
    const { name } = await readManifest<{ name: string }>(join(project, folder));
    await link(join(project, folder), join(project, 'node_modules', name));
  }
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
}

async function readManifest<Manifest>(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}
