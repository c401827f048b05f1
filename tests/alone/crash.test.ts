import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { startFirestoreServer, type FirestoreServer } from '@hearth/firestore-emulator';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cleanUpAccount } from '../../functions/src/account/delete.service.ts';
import { sweepOutdatedUploads } from '../../functions/src/uploads/manage/sweep.service.ts';
import { serveApp, useStack, type AppUnderTest } from '../support/app.ts';
import { buy, claimsOf, deliver, subscriptionCopiesOf, subscriptionOf } from '../support/billing.ts';
import { STRIPE_SECRET_KEY } from '../support/config.ts';
import { formWith, png } from '../support/files.ts';
import { adminFirestore, signUp, startSession, type Person } from '../support/people.ts';
import { call, visit } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';
import { addMember, createTeam, invitationStatus, inviteTo, membersOf } from '../support/teams.ts';
import { documentedBytes, usedBytes } from '../support/uploads.ts';

let firestoreServer: FirestoreServer;
/**
 * An app that is never killed. It prepares data, repeats requests after a crash, and has the Stripe that all apps
 * share.
 */
let app: AppUnderTest;
let stripe: Stripe;
const children = new Set<ChildProcess>();

const resources = useResources();
beforeAll(async () => {
  // Locks of a dead process are released when its transaction expires: here after a moment, in production a minute.
  firestoreServer = await startFirestoreServer({ timeouts: { idle: 300 } });
  resources.defer(() => firestoreServer.close());
  process.env['FIRESTORE_EMULATOR_HOST'] = `127.0.0.1:${firestoreServer.port}`;
  useStack();
  app = resources.use(await serveApp());
  stripe = new Stripe(STRIPE_SECRET_KEY, { host: '127.0.0.1', port: app.stripe.port, protocol: 'http' });
});
afterEach(() => {
  for (const child of children) if (child !== next?.child) child.kill('SIGKILL');
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

interface AppProcess {
  url: string;
  kill: () => Promise<void>;
}

interface Prepared {
  child: ChildProcess;
  url: Promise<string>;
}

/** Starts while the test before it runs, because starting takes longer than most tests. */
let next: Prepared | undefined;

function prepare(): Prepared {
  const child = fork(new URL('../support/app-process.ts', import.meta.url), {
    env: { ...process.env, STRIPE_URL: app.stripe.url },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.add(child);
  const url = once(child, 'message').then(([message]) => (message as { url: string }).url);
  return { child, url };
}

async function startProcess(dieAt?: string): Promise<AppProcess> {
  const prepared = next ?? prepare();
  next = undefined;
  const { child } = prepared;
  const url = await prepared.url;
  next = prepare();
  if (dieAt !== undefined) {
    child.send({ dieAt });
    await once(child, 'message');
  }
  return {
    url,
    kill: async () => {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** The connection closes without an answer, because the process dies. */
const cutOff = (answer: Promise<Response>) => expect(answer).rejects.toThrow('fetch failed');

describe('accepting an invitation in a process that is killed', () => {
  const accept = (url: string, id: string, person: Person) =>
    visit(`${url}/api/team/accept-invitation?invitationId=${id}`, person.bearer);

  async function invited() {
    const [owner, recipient] = await Promise.all([signUp(), signUp()]);
    const teamId = await createTeam(app.url, owner);
    const { id } = await inviteTo(app.url, owner, teamId, recipient.email);
    return { teamId, id, recipient };
  }

  test('before its commit has written nothing, and the repeated request accepts', async () => {
    const [dying, { teamId, id, recipient }] = await Promise.all([startProcess('1:before'), invited()]);
    await cutOff(accept(dying.url, id, recipient));
    expect([await invitationStatus(id), await membersOf(teamId)]).toEqual(['pending', [expect.anything()]]);

    expect((await accept(app.url, id, recipient)).status).toBe(303);
    expect([await invitationStatus(id), (await membersOf(teamId)).length]).toEqual(['accepted', 2]);
  });

  test('after its commit has written everything, and the repeated request answers so', async () => {
    const [dying, { teamId, id, recipient }] = await Promise.all([startProcess('1:after'), invited()]);
    await cutOff(accept(dying.url, id, recipient));
    expect([await invitationStatus(id), (await membersOf(teamId)).length]).toEqual(['accepted', 2]);

    expect((await accept(app.url, id, recipient)).status).toBe(409);
    expect(await membersOf(teamId)).toHaveLength(2);
  });
});

describe('a checkout in a process that is killed', () => {
  const checkout = (url: string, person: Person) => visit(`${url}/api/auth/checkout/pro`, person.bearer);

  async function expectOneCheckout(person: Person, answer: Response): Promise<void> {
    expect(answer.status).toBe(303);
    const customers = await stripe.customers.list({ email: person.email });
    expect(customers.data).toHaveLength(1);
    const sessions = await stripe.checkout.sessions.list({ customer: customers.data[0]?.id ?? '' });
    expect(sessions.data.map(({ url }) => url)).toEqual([answer.headers.get('location')]);
  }

  test.each(['/v1/customers', '/v1/checkout/sessions'])(
    'while it waits for Stripe to answer %s makes one customer and one session when it is repeated',
    async (path) => {
      const [dying, person] = await Promise.all([startProcess(), signUp()]);
      await call('POST', `${app.stripe.url}/_emulator/fail`, {
        json: { method: 'POST', path, status: 'hold', times: 1 },
      });
      const answer = cutOff(checkout(dying.url, person));
      await call('GET', `${app.stripe.url}/_emulator/held?atLeast=1`);
      await dying.kill();
      await answer;
      await call('POST', `${app.stripe.url}/_emulator/release`);

      await expectOneCheckout(person, await checkout(app.url, person));
    },
  );

  test.each(['1:after', '2:before', '3:after', '4:before', '4:after'])(
    'at commit %s makes one customer and one session when it is repeated',
    async (dieAt) => {
      const [dying, person] = await Promise.all([startProcess(dieAt), signUp()]);
      await cutOff(checkout(dying.url, person));

      await expectOneCheckout(person, await checkout(app.url, person));
    },
  );
});

describe('the sync after a payment, when its process is killed', () => {
  const drop = (mode: 'drop' | 'send') =>
    call('POST', `${app.stripe.url}/_emulator/webhooks`, { json: { mode } });
  beforeEach(() => drop('drop'));
  afterEach(() => drop('send'));

  async function paid() {
    const person = await signUp();
    await buy(app, person, 'pro');
    const { id, customer } = await subscriptionOf(app, person.uid);
    const sessions = await stripe.checkout.sessions.list({ customer: customer as string });
    const object = await stripe.subscriptions.retrieve(id);
    const type = 'customer.subscription.created';
    const event = { id: `evt_${person.uid}`, object: 'event', type, data: { object } };
    const back = `/api/auth/checkout/return?session_id=${sessions.data[0]?.id ?? ''}`;
    return { person, event, back };
  }

  const expectPlan = async (person: Person) => {
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'active', role: 'pro' }]);
    expect(await claimsOf(person)).toEqual({ plan: 'pro', stripeRole: 'pro' });
  };

  test.each(['1:before', '1:after'])(
    'at commit %s of a webhook, is done when the event arrives again',
    async (dieAt) => {
      const [dying, { person, event }] = await Promise.all([startProcess(dieAt), paid()]);
      await expect(deliver({ ...app, url: dying.url }, event)).rejects.toThrow('fetch failed');
      expect(await claimsOf(person)).toEqual({});
      await deliver(app, event);
      await expectPlan(person);
    },
  );

  test.each(['1:before', '1:after'])(
    'at commit %s of the return from checkout, is done when it is repeated',
    async (dieAt) => {
      const [dying, { person, back }] = await Promise.all([startProcess(dieAt), paid()]);
      await cutOff(visit(dying.url + back, person.bearer));
      expect((await visit(app.url + back, person.bearer)).headers.get('location')).toBe('/billing/success');
      await expectPlan(person);
    },
  );
});

describe('an upload in a process that is killed', () => {
  const upload = (url: string, person: Person) =>
    call('POST', `${url}/api/upload`, { headers: person.bearer, body: formWith(png(), 'photo.png') });

  async function uploadsOf({ uid }: Person) {
    const bucket = await app.backend.bucket();
    const [objects] = await bucket.getFiles({ prefix: `uploads/${uid}/` });
    const documents = await adminFirestore().collection('uploads').where('ownerId', '==', uid).get();
    return {
      objects: objects.map(({ name }) => name).sort(),
      documents: documents.docs.map((document) => document.get('path') as string).sort(),
    };
  }

  // The first commit counts the upload for its rate limit.
  test.each(['2:after', '3:before', '3:after'])(
    'at commit %s leaves nothing that a sweep does not find, and the repeated upload is stored',
    async (dieAt) => {
      const [dying, person] = await Promise.all([startProcess(dieAt), signUp()]);
      await cutOff(upload(dying.url, person));

      const answer = await upload(app.url, person);
      expect(answer.status).toBe(200);

      const inTwoHours = () => new Date(Date.now() + 2 * 3_600_000);
      await sweepOutdatedUploads({ ...app.backend, now: inTwoHours });
      const { objects, documents } = await uploadsOf(person);
      expect(objects).toEqual(documents);
      expect(await usedBytes(person.uid)).toBe(await documentedBytes(person.uid));
      // After the last commit the first upload is complete: only its answer was lost.
      expect(objects).toHaveLength(dieAt === '3:after' ? 2 : 1);
      const { url } = (await answer.json()) as { url: string };
      expect((await fetch(url)).status).toBe(200);
    },
  );

  const manage = (method: string, url: string, path: string, { bearer }: Person) =>
    call(method, `${url}/api/uploads/${path}`, { headers: bearer });

  test.each([
    ['1:before', 204],
    ['1:after', 404],
  ])(
    'at commit %s of its removal is removed by the repeated request, and its bytes are given back',
    async (dieAt, again) => {
      const starting = startProcess(dieAt);
      const person = await signUp();
      const id = (await upload(app.url, person)).headers.get('X-Upload-Id') ?? '';
      const dying = await starting;
      await cutOff(manage('DELETE', dying.url, id, person));

      expect((await manage('DELETE', app.url, id, person)).status).toBe(again);
      expect(await uploadsOf(person)).toEqual({ objects: [], documents: [] });
      expect(await usedBytes(person.uid)).toBe(0);
    },
  );

  // The first commit counts the request for its rate limit.
  test.each(['2:before', '2:after'])(
    'at commit %s of revoking its URL has a working URL after the repeated request',
    async (dieAt) => {
      const starting = startProcess(dieAt);
      const person = await signUp();
      const answer = await upload(app.url, person);
      const id = answer.headers.get('X-Upload-Id') ?? '';
      const { url } = (await answer.json()) as { url: string };
      const dying = await starting;
      await cutOff(manage('POST', dying.url, `${id}/revoke`, person));

      expect((await fetch(url)).status).toBe(403);
      const renewed = (await (await manage('POST', app.url, `${id}/revoke`, person)).json()) as {
        url: string;
      };
      expect((await fetch(renewed.url)).status).toBe(200);
    },
  );
});

describe('deleting an account in a process that is killed', () => {
  const COMMITS = 18;

  /** A person with data for every step: a team, a session, a customer, uploads and invitations. */
  async function settled(): Promise<{ person: Person; teamId: string }> {
    const [person, owner] = await Promise.all([signUp(), signUp()]);
    const teamId = await createTeam(app.url, owner);
    await Promise.all([
      addMember(teamId, person, 'admin'),
      startSession(app.url, person),
      visit(`${app.url}/api/auth/checkout/pro`, person.bearer),
    ]);
    for (const query of ['', `?team=${teamId}`]) {
      const body = formWith(png(), 'photo.png');
      await call('POST', `${app.url}/api/upload${query}`, { headers: person.bearer, body });
    }
    await inviteTo(app.url, person, teamId, `${person.uid}@example.com`);
    await inviteTo(app.url, owner, await createTeam(app.url, owner), person.email);
    return { person, teamId };
  }

  async function tracesOf({ uid, email }: Person): Promise<string[]> {
    const firestore = adminFirestore();
    const documents = ['users', 'customers', 'usage'].map((collection) =>
      firestore.doc(`${collection}/${uid}`),
    );
    const found = await Promise.all([
      firestore.getAll(...documents),
      ...[
        firestore.collection(`users/${uid}/sessions`),
        firestore.collection('uploads').where('createdBy', '==', uid),
        firestore.collection('invitations').where('invitedBy', '==', uid),
        firestore.collection('invitations').where('email', '==', email),
        firestore.collection('mail').where('to', 'array-contains', email),
        firestore.collection('mail').where('sentBy', '==', uid),
        firestore.collection('auditLog').where('details.email', '==', email),
        firestore.collection('auditLog').where('actorId', '==', uid),
        firestore.collection('auditLog').where('target', '==', uid),
        firestore.collectionGroup('members').where('uid', '==', uid),
      ].map(async (query) => (await query.get()).docs),
    ]);
    // The mail that confirms the deletion is kept for two days.
    const traces = found
      .flat()
      .filter((document) => document.exists && document.get('outlivesAccount') !== true);
    return traces.map(({ ref }) => ref.path);
  }

  const points = Array.from({ length: COMMITS }, (_, index) => `${index + 1}:after`);
  test.each(points)('at commit %s is finished by the repeated request', async (dieAt) => {
    const [dying, { person, teamId }] = await Promise.all([startProcess(dieAt), settled()]);
    const request = (url: string) => call('DELETE', `${url}/api/auth/user`, { headers: person.bearer });
    await cutOff(request(dying.url));

    const again = await request(app.url);
    // If the account is deleted already, its event completes the deletion.
    if (again.status === 401) await cleanUpAccount(app.backend, { ...person, emailVerified: true });
    else expect(again.status).toBe(204);
    expect(await tracesOf(person)).toEqual([]);
    expect(await membersOf(teamId)).toHaveLength(1);
  });
});
