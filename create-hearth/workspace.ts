import { globSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutLinks } from '../scripts/upgrade/links.ts';
import { editLockFile, editManifest, replaceIn } from './files.ts';

/** Removes a workspace from a project: its folder, its declarations, and the links to it. */
export async function removeWorkspace(project: string, folder: string, packageName: string): Promise<void> {
  await rm(join(project, folder), { recursive: true });
  await editManifest(project, (manifest) => {
    manifest.workspaces = manifest.workspaces.filter((workspace) => workspace !== folder);
  });
  await editLockFile(project, ({ packages }) => {
    for (const path of Object.keys(packages)) {
      const isInside = path === folder || path.startsWith(`${folder}/`);
      if (isInside || path === `node_modules/${packageName}`) Reflect.deleteProperty(packages, path);
    }
    const root = packages[''];
    root?.workspaces?.splice(root.workspaces.indexOf(folder), 1);
  });
  const declared = new RegExp(`^    "${folder}": \\{(?:.*\\}|\\n[^]*?^    \\}),?\\n`, 'm');
  await replaceIn(project, 'knip.json', declared, '');
  await removeLinks(project, folder);
}

/** Keeps the text of links into a folder that is gone. */
export async function removeLinks(project: string, folder: string): Promise<void> {
  for (const page of globSync('{*.md,*/*.md,*/*/*.md}', { cwd: project })) {
    const path = join(project, page);
    const text = await readFile(path, 'utf8');
    const rest = withoutLinks(text, [`${folder}/`]);
    if (rest !== text) await writeFile(path, rest);
  }
}
