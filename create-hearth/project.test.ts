import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Choices } from './options.ts';
import { createProject } from './project.ts';

const run = promisify(execFile);
const CHECKOUT = resolve(import.meta.dirname, '..');

/** Makes a project, with all plans and pages by default. */
async function made(change: Partial<Choices> = {}) {
  const parent = await mkdtemp(join(tmpdir(), 'hearth-made-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, 'lighthouse');
  const choices = { folder, name: 'Light & House', plans: undefined, pages: true, template: undefined };
  const project = () => createProject({ ...choices, ...change });
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const readJson = (file: string) => JSON.parse(read(file)) as unknown;
  return { folder, project, read, readJson };
}

test('the app, the root package, the projects of Firebase and the README have the name', async () => {
  const { folder, project, read, readJson } = await made();
  await project();
  const { stdout } = await run('git', ['rev-parse', 'HEAD'], { cwd: CHECKOUT });

  expect(readJson('shared/brand.json')).toMatchObject({
    name: 'Light & House',
    description: null,
    logoUrl: null,
  });
  expect(readJson('package.json')).toMatchObject({
    name: 'light-house',
    hearth: { version: expect.stringMatching(/^\d/) as string, commit: stdout.trim() },
  });
  expect(readJson('package-lock.json')).toMatchObject({
    name: 'light-house',
    packages: { '': { name: 'light-house' } },
  });
  expect(readJson('.firebaserc')).toEqual({
    projects: {
      default: 'demo-hearth',
      dev: 'light-house-dev',
      staging: 'light-house-staging',
      production: 'light-house',
    },
  });
  expect(read('README.md')).toMatch(/^# Light & House\n/);
  expect(existsSync(join(folder, '.git/HEAD'))).toBe(true);
});

test('mail, pages and settings of a project do not name Hearth', async () => {
  const { folder, project, read } = await made();
  await project();
  const seen = [
    'functions/.env.demo-hearth',
    'functions/src/{mail,http}/texts/*.ts',
    'functions/src/openapi/{document,texts}.ts',
    'monitoring/**/*.json',
    'shared/brand.json',
    'web/*.html',
    'web/src/texts/**/*.{ts,tsx}',
  ];
  const files = globSync(seen, { cwd: folder });
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter((file) => /\bHearth\b/.test(read(file)))).toEqual([]);
});

test('a project does not make projects, and declares only the workspaces that it has', async () => {
  const { folder, project, read, readJson } = await made({ pages: false });
  await project();
  const { workspaces, scripts } = readJson('package.json') as { workspaces: string[]; scripts: object };
  expect(workspaces).toContain('client');
  expect(workspaces.filter((workspace) => !existsSync(join(folder, workspace)))).toEqual([]);
  expect(Object.keys(scripts).filter((name) => name.startsWith('create'))).toEqual([]);
  expect(existsSync(join(folder, '.github/workflows/new-projects.yml'))).toBe(false);
  expect(scripts).not.toHaveProperty('build:web');
  const { packages } = readJson('package-lock.json') as {
    packages: Record<string, { workspaces?: string[] }>;
  };
  expect(packages['']?.workspaces).toEqual(workspaces);
  const gone = ['web', 'create-hearth', 'node_modules/@hearth/web', 'node_modules/create-hearth'];
  expect(gone.filter((path) => path in packages || existsSync(join(folder, path)))).toEqual([]);
  expect(Object.keys((readJson('knip.json') as { workspaces: object }).workspaces)).not.toContain('web');
  expect(readJson('firebase.json')).toMatchObject({ hosting: { public: 'public' } });
  expect(read('public/index.html')).toContain('<h1>Light &amp; House</h1>');
});

test('the chosen plans are kept in their order, also in the security rules', async () => {
  const { project, read, readJson } = await made({ plans: ['business', 'free'] });
  await project();
  expect((readJson('functions/plans.json') as { slug: string }[]).map(({ slug }) => slug)).toEqual([
    'free',
    'business',
  ]);
  expect(read('firestore.rules')).toContain("let ranks = {'free': 0, 'business': 1};");
  expect(read('storage.rules')).not.toContain("'pro'");
});

test.each<[string, Partial<Choices>, string]>([
  ['an unknown plan', { plans: ['free', 'gold'] }, 'No plan gold. There are free, '],
  ['plans without the free one', { plans: ['pro'] }, 'The free plan must be kept: free.'],
  ['a name without letters', { name: '42' }, '"42" has no letters'],
])('%s is refused, and nothing is left', async (_what, change, message) => {
  const { folder, project } = await made(change);
  await expect(project()).rejects.toThrow(message);
  expect(existsSync(folder)).toBe(false);
});

test('a folder with files is refused, and keeps them', async () => {
  const { folder, project } = await made();
  await mkdir(folder);
  await writeFile(join(folder, 'mine.txt'), 'mine');
  await expect(project()).rejects.toThrow('is not empty');
  expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
});

test('a template outside of a repository is copied without installed packages and secrets', async () => {
  const first = await made();
  const template = await first.project();
  await rm(join(template, '.git'), { recursive: true });
  await mkdir(join(template, 'node_modules/left-pad'), { recursive: true });
  await writeFile(join(template, 'functions/.secret.local'), 'STRIPE_SECRET_KEY=sk_test_1');
  const { folder, project, readJson } = await made({ template, name: 'Second' });
  await project();
  expect(readJson('package.json')).toMatchObject({ name: 'second' });
  expect(existsSync(join(folder, 'node_modules'))).toBe(false);
  expect(existsSync(join(folder, 'functions/.secret.local'))).toBe(false);
});
