import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../scripts/paths.ts';
import { linkPackages } from '../support/linked-packages.ts';
import { useResources } from '../support/resources.ts';

/** The folder in which the packed package is installed. */
let folder: string;
const resources = useResources();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-create-'));
  resources.use({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) });
  const pack = ['pack', '--silent', '--pack-destination', folder];
  const { stdout } = await execa('npm', pack, { cwd: join(ROOT, 'create-hearth') });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const archive = join(folder, stdout.trim().split('\n').at(-1) ?? '');
  await execa('npm', ['install', '--offline', '--no-audit', archive], { cwd: folder });
});

test('a new project with one plan and without pages passes its formatting, types and unit tests', async () => {
  const project = join(folder, 'lighthouse');
  const options = ['--name', 'Light & House', '--plans', 'free', '--no-pages', '--yes'];
  const program = join(folder, 'node_modules/.bin/create-hearth');
  const { stdout } = await execa(program, [project, ...options]);
  expect(stdout).toContain(`Made ${project}.`);
  onTestFinished(() => rm(project, { recursive: true }));
  await linkPackages(project);

  // The new project is no part of this run of the tests.
  const env = Object.fromEntries(Object.keys(process.env).flatMap(ownVariable));
  const run = (...args: string[]) => execa(process.execPath, args, { cwd: project, env, all: true });
  await run('node_modules/prettier/bin/prettier.cjs', '--check', '.');
  await run('node_modules/typescript/bin/tsc', '--noEmit');
  const { all } = await run('scripts/test.ts', '--project', 'unit');
  expect(all).toMatch(/\d{3,} passed, 0 failed$/);
});

/** A variable of the test runner, to be removed. */
function ownVariable(name: string): [string, undefined][] {
  return /^(?:VITEST|VITE|TEST|NODE_ENV|DEV|PROD|MODE|BASE_URL|SSR)/.test(name) ? [[name, undefined]] : [];
}
