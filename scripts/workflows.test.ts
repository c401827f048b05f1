import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './paths.ts';
import { IS_HEARTH } from './prose.ts';

const FILES = globSync('.github/workflows/*.yml', { cwd: ROOT }).toSorted();
/** Commands of npm itself. */
const NPM_COMMANDS = new Set(['ci', 'pkg', 'publish']);

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

interface Workflow {
  on?: unknown;
  permissions?: unknown;
  concurrency?: unknown;
  jobs: Record<
    string,
    { if?: string; 'timeout-minutes'?: number; steps: { uses?: string; run?: string; env?: object }[] }
  >;
}

const workflowOf = (file: string) => parse(read(file)) as Workflow;

test('there are workflows for changes, for each week, for deployments, for the client and for new projects', () => {
  expect(FILES.map((file) => file.split('/').at(-1))).toEqual([
    'ci.yml',
    'deploy.yml',
    ...(IS_HEARTH ? ['new-projects.yml'] : []),
    'publish.yml',
    'weekly.yml',
  ]);
});

test.each(FILES)('%s is valid by the published schema', (file) => {
  expect(validateWorkflow(read(file)).errors).toEqual([]);
});

test('the schema refuses a misspelled key', () => {
  const [file = ''] = FILES;
  expect(validateWorkflow(read(file).replace('runs-on:', 'run-on:')).errors).not.toEqual([]);
});

test.each(FILES)('%s has few permissions, and a time limit for each job', (file) => {
  const { permissions, jobs } = workflowOf(file);
  expect(permissions).toMatchObject({ contents: 'read' });
  expect(Object.values(jobs).filter((job) => job['timeout-minutes'] === undefined)).toEqual([]);
});

test('every npm script and file that the workflows run exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = FILES.flatMap((file) =>
    Object.values(workflowOf(file).jobs).flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run)),
  );
  const names = commands.flatMap((line) => /^npm (?:run )?([\w:-]+)/.exec(line)?.[1] ?? []);
  expect(names).toContain('deploy');
  expect(names.filter((name) => !NPM_COMMANDS.has(name) && scripts[name] === undefined)).toEqual([]);
  const paths = commands.flatMap((line) => /^(?:node )?(\S+\/\S+)$/.exec(line)?.[1] ?? []);
  expect(paths).toContain('.ci/run');
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('every push to a branch is checked, and a pull request of this repository not a second time', () => {
  const { on, concurrency, jobs } = workflowOf('.github/workflows/ci.yml');
  // Tags are checked by the workflows that they start.
  expect(on).toEqual({ push: { branches: ['**'] }, pull_request: null });
  expect(jobs['check']?.if).toBe(
    "github.event_name == 'push' || github.event.pull_request.head.repo.full_name != github.repository",
  );
  expect(concurrency).toEqual({
    group: 'ci-${{ github.ref }}',
    'cancel-in-progress': "${{ github.ref != 'refs/heads/main' }}",
  });
});

test('a deployment is followed by a doctor who knows that it is new', () => {
  const { jobs } = workflowOf('.github/workflows/deploy.yml');
  const commands = jobs['production']?.steps.flatMap(({ run = [] }) => run) ?? [];
  expect(commands.at(-1)).toBe('npm run doctor -- --project "$PROJECT" --after-deploy');
});

test('a deployment needs no right to act as the account of App Engine', () => {
  const name = 'FIREBASE_SKIP_INFORMATIONAL_IAM';
  const { jobs } = workflowOf('.github/workflows/deploy.yml');
  const deployment = jobs['production']?.steps.find(({ run }) => run?.startsWith('npm run deploy ') === true);
  expect(deployment?.env).toMatchObject({ [name]: 'true' });
  expect(read('node_modules/firebase-tools/lib/gcp/iam.js')).toContain(`if (process.env.${name})`);
});

test('a text of a pull request is never part of a command', () => {
  const commands = FILES.map(read)
    .join('\n')
    .split('\n')
    .filter((line) => /^\s*- run:/.test(line));
  const inserted = commands.flatMap((line) =>
    [...line.matchAll(/\$\{\{ (.+?) \}\}/g)].map(([, name]) => name),
  );
  expect(inserted.filter((name) => name !== 'github.event.number')).toEqual([]);
});
