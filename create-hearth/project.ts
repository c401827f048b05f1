import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { MAKER } from '../scripts/upgrade/parts.ts';
import { editLockFile, editManifest, replaceIn } from './files.ts';
import { slugOf, type Choices } from './options.ts';
import { leaveOutPages } from './pages.ts';
import { keepPlans } from './plans.ts';
import { defaultTemplate, unpackTemplate } from './template.ts';
import { removeWorkspace } from './workspace.ts';

/**
 * Makes a project.
 *
 * @returns its folder
 * @throws Error if the folder has files, or the template does not fit; then nothing is left
 */
export async function createProject(choices: Choices): Promise<string> {
  const project = resolve(choices.folder);
  if (existsSync(project) && readdirSync(project).length > 0) throw new Error(`${project} is not empty.`);
  const slug = slugOf(choices.name);
  try {
    const commit = await unpackTemplate(resolve(choices.template ?? defaultTemplate()), project);
    await nameProject(project, { name: choices.name, slug, commit });
    if (existsSync(join(project, 'create-hearth'))) await leaveOutThisPackage(project);
    if (choices.plans !== undefined) await keepPlans(project, choices.plans);
    if (!choices.pages) await leaveOutPages(project, choices.name);
    await promisify(execFile)('git', ['init', '--quiet', '--initial-branch=main'], { cwd: project });
  } catch (error) {
    await rm(project, { recursive: true, force: true });
    throw error;
  }
  return project;
}

/**
 * Names the app, the root package and the projects of Firebase. The scope `@hearth` of the workspaces stays, because a
 * new one would make every upgrade a conflict. So does the demonstration project of the local stack.
 */
async function nameProject(
  project: string,
  { name, slug, commit }: { name: string; slug: string; commit: string | undefined },
): Promise<void> {
  await replaceIn(project, 'shared/brand.json', /"name": ".*"/, `"name": ${JSON.stringify(name)}`);
  await replaceIn(project, 'shared/brand.json', /"description": (?:".*"|null)/, '"description": null');
  await editManifest(project, (manifest) => {
    manifest.name = slug;
    manifest.hearth = { version: manifest.version, ...(commit !== undefined && { commit }) };
  });
  await editLockFile(project, (lock) => {
    lock.name = slug;
    const root = lock.packages[''];
    if (root !== undefined) root.name = slug;
  });
  const projects = {
    default: 'demo-hearth',
    dev: `${slug}-dev`,
    staging: `${slug}-staging`,
    production: slug,
  };
  await writeFile(join(project, '.firebaserc'), `${JSON.stringify({ projects }, null, 2)}\n`);
  const heading = `# ${name}\n\nThis project was made from Hearth, which the rest of this page describes.\n`;
  await replaceIn(project, 'README.md', /^# .*\n/, heading);
}

/** A project does not make other projects. */
async function leaveOutThisPackage(project: string): Promise<void> {
  await removeWorkspace(project, 'create-hearth', 'create-hearth');
  for (const file of MAKER.others) await rm(join(project, file), { force: true });
  await editManifest(project, ({ scripts }) => {
    for (const name of ['create', 'create:check']) Reflect.deleteProperty(scripts, name);
  });
}
