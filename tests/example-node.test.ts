import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, expect, inject, test } from 'vitest';
import { ROOT } from '../scripts/paths.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { useResources } from './support/resources.ts';

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  app = resources.use(await serveApp());
});

/** Runs the script with the account of a person. */
function invite({ email, password }: Pick<Person, 'email' | 'password'>, ...words: string[]) {
  const { projectId, urls } = inject('stack');
  const script = join(ROOT, 'examples/node/invite.ts');
  return execa(process.execPath, ['--conditions=@hearth/source', script, ...words], {
    reject: false,
    env: {
      HEARTH_URL: app.url,
      FIREBASE_CONFIG: JSON.stringify({ apiKey: 'demo', projectId }),
      AUTH_EMULATOR: urls.auth,
      HEARTH_EMAIL: email,
      HEARTH_PASSWORD: password,
    },
  });
}

test('the Node script creates a team, and reports the result of each invitation', async () => {
  const person = await signUp();
  const { stdout, exitCode } = await invite(person, 'Acme', 'bob@example.com', 'nobody');
  expect(stdout.split('\n')).toEqual(['bob@example.com: invited', 'nobody: refused (400)']);
  expect(exitCode).toBe(0);
  const teams = await adminFirestore().collection('teams').where('ownerId', '==', person.uid).get();
  expect(teams.docs.map((team) => team.get('name') as string)).toEqual(['Acme']);
});

test('the Node script ends with 1 and the reason when the backend refuses', async () => {
  const { stderr, exitCode } = await invite(await signUp(), 'x'.repeat(200));
  expect(stderr).toContain('invalid_');
  expect(exitCode).toBe(1);
});
