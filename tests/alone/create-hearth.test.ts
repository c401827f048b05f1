import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { VARIANTS, writeOwnFiles } from '../../create-hearth/variants.ts';
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

/** Makes a project with the installed program. @returns a function that runs a program of the project */
async function made(name: keyof typeof VARIANTS) {
  const project = join(folder, name);
  onTestFinished(() => rm(project, { recursive: true, force: true }));
  const program = join(folder, 'node_modules/.bin/create-hearth');
  const { stdout } = await execa(program, [project, ...VARIANTS[name].options]);
  expect(stdout).toContain(`Made ${project}.`);
  await linkPackages(project);
  // The new project is no part of this run of the tests.
  const env = Object.fromEntries(Object.keys(process.env).flatMap(ownVariable));
  const run = (...args: string[]) => execa(process.execPath, args, { cwd: project, env, all: true });
  await writeOwnFiles(project, VARIANTS[name], run);
  return run;
}

/** A variable of the test runner, to be removed. */
function ownVariable(name: string): [string, undefined][] {
  return /^(?:VITEST|VITE|TEST|NODE_ENV|DEV|PROD|MODE|BASE_URL|SSR)/.test(name) ? [[name, undefined]] : [];
}

test('the package has the licenses of the packages that it contains', async () => {
  const installed = join(folder, 'node_modules/create-hearth/dist');
  const notices = await readFile(join(installed, 'THIRD_PARTY_LICENSES.txt'), 'utf8');
  expect(notices).toMatch(/^zod [\d.]+ \(MIT\)\n\n[^]*Permission is hereby granted/m);
});

// `npm run create:check` runs everything, for every variant.

test('a new project with files of its own and without pages passes its formatting, its types and many tests', async () => {
  const run = await made('own-files-without-pages');
  await run('node_modules/prettier/bin/prettier.cjs', '--check', '.');
  await run('node_modules/typescript/bin/tsc', '--noEmit');
  const unit = await run('scripts/test.ts', '--project', 'unit');
  expect(unit.all).toMatch(/\d{3,} passed, 0 failed$/);
  const others = ['journey', 'seed', 'contract', 'billing-checkout', 'account-mail', 'rules/firestore-rules'];
  const files = ['emulators/stripe/main.test.ts', ...others.map((file) => `tests/${file}.test.ts`)];
  const { all } = await run('scripts/test.ts', ...files);
  expect(all).toMatch(/\d{2,} passed, 0 failed$/);
});

test('a new project with a brand and settings of its own builds its pages, and sells its plan in a browser', async () => {
  const run = await made('one-paid-plan');
  const browser = ['billing-page', 'sign-in'].map((name) => `tests/browser/${name}.test.ts`);
  const { all } = await run('scripts/test.ts', 'web/src', ...browser);
  expect(all).toMatch(/\d{2,} passed, 0 failed$/);
});
