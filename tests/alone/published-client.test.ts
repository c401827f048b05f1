import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { beforeAll, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { generate } from '../../scripts/generate-client.ts';
import { ROOT } from '../../scripts/paths.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { CLIENT, installPackedClient, type Project } from '../support/packed-client.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { useResources } from '../support/resources.ts';

let project: Project;
const resources = useResources();
beforeAll(async () => {
  project = resources.use(await installPackedClient());
});

test('the generated files are up to date', async () => {
  for (const [path, text] of await generate()) {
    const current = await readFile(path, 'utf8');
    expect(current === text, `${path}: run \`npm run generate -w client\`.`).toBe(true);
  }
});

test('the archive has every file that its package.json names, and no test', async () => {
  const tarball = new Uint8Array(await readFile(project.archive)).buffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  expect(pkg).not.toHaveProperty('private');
  expect(pkg).not.toHaveProperty('dependencies');
  const files = await project.installedFiles();
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.d.ts', 'src/index.ts']));
  expect(files.filter((file) => file.includes('.test.'))).toEqual([]);
});

test('the workflow publishes the client under the scope and with the URL of the repository', async () => {
  const folder = resources.use(await copyOfPackage());
  await execa('bash', ['-euo', 'pipefail', '-c', await namingCommand()], {
    cwd: folder.path,
    env: {
      NPM_SCOPE: 'acme',
      GITHUB_REF_NAME: 'client-v1.2.3',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/app',
    },
  });
  const packed = await execa('npm', ['pack', './client', '--silent', '--ignore-scripts'], {
    cwd: folder.path,
  });
  const tarball = new Uint8Array(await readFile(join(folder.path, packed.stdout.trim()))).buffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  expect(pkg).toMatchObject({
    name: '@acme/client',
    version: '1.2.3',
    repository: { type: 'git', url: 'git+https://github.com/acme/app.git', directory: 'client' },
  });
});

test('the license of the package is that of the repository', async () => {
  const [own, shared] = await Promise.all(
    [CLIENT, ROOT].map((folder) => readFile(join(folder, 'LICENSE'), 'utf8')),
  );
  expect(own).toBe(shared);
});

test('the examples of the README type check with the installed package, and the first one runs', async () => {
  const app: AppUnderTest = resources.use(await serveApp());
  const person = await signUp();
  const readme = await readFile(join(CLIENT, 'README.md'), 'utf8');
  const example = /```ts\n([^]*?)```/.exec(readme)?.[1] ?? '';
  expect(example).toContain('https://app.example.com');
  await project.write('firebase.ts', firebaseFor(person));
  await project.write('example.ts', example.replace('https://app.example.com', app.url));
  await project.write('hooks.tsx', /```tsx\n([^]*?)```/.exec(readme)?.[1] ?? '');
  await project.check();
  await project.check(WITHOUT_EXPORTS);
  expect(await project.run('example.ts')).toBe('');

  const teams = await adminFirestore().collection('teams').where('ownerId', '==', person.uid).get();
  expect(teams.docs.map((team) => team.get('name') as string)).toEqual(['Acme']);
  const teamId = teams.docs[0]?.id;
  const sent = await adminFirestore().collection('invitations').where('teamId', '==', teamId).get();
  expect(sent.docs.map((invitation) => invitation.get('email') as string)).toEqual(['guest@example.com']);
});

/** A compiler that reads `main` and `types` of packages, and not `exports`. */
const WITHOUT_EXPORTS = { module: 'esnext', moduleResolution: 'node10', ignoreDeprecations: '6.0' };

/** The file `firebase.ts` of a project whose user is signed in. */
function firebaseFor({ email, password }: Person): string {
  const { projectId, urls } = inject('stack');
  return `
    import { initializeApp } from 'firebase/app';
    import { connectAuthEmulator, getAuth, signInWithEmailAndPassword } from 'firebase/auth';
    export const auth = getAuth(initializeApp({ apiKey: 'demo', projectId: '${projectId}' }));
    connectAuthEmulator(auth, '${urls.auth}', { disableWarnings: true });
    await signInWithEmailAndPassword(auth, '${email}', '${password}');
  `;
}

/** The command of the workflow that names the package. */
async function namingCommand(): Promise<string> {
  const workflow = parse(await readFile(join(ROOT, '.github/workflows/publish.yml'), 'utf8')) as {
    jobs: { client: { steps: { name?: string; run?: string }[] } };
  };
  const step = workflow.jobs.client.steps.find(({ name }) => name === 'Name the package');
  return step?.run ?? '';
}

/** A folder with a copy of the built client, because the workflow changes its package.json. */
async function copyOfPackage(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'hearth-publish-'));
  await cp(CLIENT, join(path, 'client'), { recursive: true });
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
