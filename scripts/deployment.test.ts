import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { globalAgent } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { deleteApp, getApps } from 'firebase-admin/app';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDeployment, type Deployment } from './deployment.ts';

const ACCOUNT = '42-compute@developer.gserviceaccount.com';

const SETTINGS = {
  APP_URL: 'https://app.example.com',
  MAIL_FROM: 'Acme <no-reply@example.com>',
  MAIL_SMTP_URL: 'extension',
  REGION: 'europe-west1',
  STRIPE_SECRET_KEY: 'unset',
  STRIPE_WEBHOOK_SECRET: 'unused',
};

/** A request that Google received. */
interface Seen {
  place: string;
  body: unknown;
}

/** Answers of Google to the project number, to a token of the person, to a signature and to a task. */
const ANSWERS: Readonly<Record<string, object>> = {
  'cloudresourcemanager.googleapis.com/v3/projects/acme-1': { name: 'projects/42' },
  'oauth2.googleapis.com/token': { access_token: 'person', expires_in: 3600, token_type: 'Bearer' },
  [`iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${ACCOUNT}:signBlob`]: { signedBlob: 'c2ln' },
  'cloudtasks.googleapis.com/v2/projects/acme-1/locations/europe-west1/queues/syncContacts/tasks': {},
};

/** The server that each connection to another machine leads to. */
async function startGoogle(answers = ANSWERS): Promise<Seen[]> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const { headers, url = '' } = request;
    const place = headers.host?.startsWith('127.') ? url.slice(1) : `${headers.host ?? ''}${url}`;
    const read = place.startsWith('oauth2.') || request.method === 'GET' ? undefined : json(request);
    void Promise.resolve(read).then((body) => {
      seen.push({ place, body });
      const answer = answers[place];
      response.writeHead(answer === undefined ? 403 : 200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer ?? { error: { code: 403, message: `${place} is forbidden` } }));
    });
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  vi.spyOn(globalAgent, 'createConnection').mockImplementation(() => connect(port, '127.0.0.1'));
  const fetchDirectly = globalThis.fetch;
  // With `fetch`, a caller cannot set the header `Host`, so the path names the host.
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    fetchDirectly(url.replace('https:/', `http://127.0.0.1:${port}`), init),
  );
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    globalAgent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return seen;
}

/** Opens the project with the file that `gcloud auth application-default login` writes. */
async function openAsPerson(): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-deployment-'));
  const credentials = join(folder, 'credentials.json');
  const account = { client_id: 'a', client_secret: 'b', refresh_token: 'c' };
  writeFileSync(credentials, JSON.stringify({ type: 'authorized_user', ...account }));
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', credentials);
  vi.stubEnv('METADATA_SERVER_DETECTION', 'none');
  for (const name of ['FIREBASE_AUTH_EMULATOR_HOST', 'CLOUD_TASKS_EMULATOR_HOST'])
    vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(SETTINGS)) vi.stubEnv(name, value);
  onTestFinished(async () => {
    await Promise.all(getApps().map(deleteApp));
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  return openDeployment('acme-1', {});
}

test('a person impersonates by a signature of the service account of the functions', async () => {
  const seen = await startGoogle();
  const { backend } = await openAsPerson();
  const token = await backend.auth.createCustomToken('operator', { impersonation: { uid: 'ada' } });
  const [, claims = ''] = token.split('.');
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ iss: ACCOUNT });
  expect(seen.map(({ place }) => place)).toContain(
    `iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${ACCOUNT}:signBlob`,
  );
});

test('a person enqueues tasks that call the functions as their service account', async () => {
  const seen = await startGoogle();
  const { backend } = await openAsPerson();
  await backend.enqueueContactSync('team');
  const task = seen.find(({ place }) => place.startsWith('cloudtasks.googleapis.com/'));
  expect(task?.body).toMatchObject({
    task: { httpRequest: { oidcToken: { serviceAccountEmail: ACCOUNT } } },
  });
});

test('a person who may not ask for the service account is warned, and the command goes on', async () => {
  const { 'oauth2.googleapis.com/token': token = {} } = ANSWERS;
  await startGoogle({ 'oauth2.googleapis.com/token': token });
  const warn = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { backend } = await openAsPerson();
  const warning = warn.mock.calls.flat().join('\n');
  expect(warning).toMatch(
    /which service account the functions of acme-1 have\. .*is forbidden\nWithout it, imp/,
  );
  expect(backend.config.appUrl).toBe(SETTINGS.APP_URL);
});
