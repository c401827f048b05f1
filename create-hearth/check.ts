/**
 * Makes projects, installs their packages as a stranger does, and runs all of their checks and tests:
 *
 *   npm run create:check                            # every variant, which takes more than an hour on two cores
 *   npm run create:check -- own-files unchanged     # some of them, see variants.ts
 *
 * A project that fails is kept. Its folder is printed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { readChoices } from './options.ts';
import { createProject } from './project.ts';
import { VARIANTS, writeOwnFiles, type Variant } from './variants.ts';

const SCRIPTS = ['lint', 'typecheck', 'test'];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in VARIANTS));
if (unknown.length > 0) {
  console.error(`No variant ${unknown.join(', ')}. There are ${Object.keys(VARIANTS).join(', ')}.`);
  process.exit(1);
}
for (const [name, variant] of Object.entries<Variant>(VARIANTS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const project = join(await mkdtemp(join(tmpdir(), 'hearth-check-')), name);
  const failed = await failedChecks(project, variant);
  if (failed.length === 0) await rm(join(project, '..'), { recursive: true });
  else process.exitCode = 1;
  console.log(`${name}: ${failed.length === 0 ? 'passed' : `${failed.join(', ')} failed in ${project}`}`);
}

/** The names of the checks that a project fails. All of them run. */
async function failedChecks(project: string, variant: Variant): Promise<string[]> {
  await createProject(await readChoices([project, ...variant.options], undefined));
  const npm = (...args: string[]) => execa('npm', args, { cwd: project, stdio: 'inherit', reject: false });
  const { failed } = await npm('ci');
  if (failed) return ['install'];
  await writeOwnFiles(project, variant, (...args) => execa(process.execPath, args, { cwd: project }));
  const failures: string[] = [];
  for (const script of SCRIPTS) {
    const result = await npm('run', script);
    if (result.failed) failures.push(script);
  }
  return failures;
}
