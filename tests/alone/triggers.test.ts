import { randomUUID } from 'node:crypto';
import { createCheckoutSession, getCurrentUserSubscriptions } from '@invertase/firestore-stripe-payments';
import { deleteApp, initializeApp, type FirebaseApp } from 'firebase/app';
import { connectAuthEmulator, createUserWithEmailAndPassword, deleteUser, getAuth } from 'firebase/auth';
import { connectFirestoreEmulator, getFirestore } from 'firebase/firestore';
import { connectStorageEmulator, getStorage } from 'firebase/storage';
import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startUpload } from '../../examples/resumable-upload.ts';
import { startSmtpServer, type TestSmtpServer } from '../../functions/src/mail/testing/smtp-server.ts';
import { BACKSTOP_MS } from '../../scripts/backstop.ts';
import { startStack, type Stack } from '../../scripts/stack.ts';
import { pngOfSize } from '../support/files.ts';
import { adminAuth, adminFirestore } from '../support/people.ts';
import { PROJECT_PLANS, subscribablePlans } from '../support/plans.ts';
import { call, locationOf } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';
import { extensionClientOf } from '../support/stripe-extension.ts';
import { TEST_STACK_SETTINGS } from '../support/test-stack.ts';

/**
 * Deployed functions that the emulators call on events. They are switched off in the stack of the other tests, because
 * the CLI starts a process for each of them.
 */
let smtp: TestSmtpServer;
let stack: Stack;
let firestore: Firestore;
let client: FirebaseApp;
const resources = useResources();
beforeAll(async () => {
  smtp = resources.use(await startSmtpServer());
  // Without a build, because the other stack serves the current build.
  stack = await startStack({
    projectId: 'demo-hearth-triggers',
    ports: 'free',
    build: 'skip',
    // Not the default, so that every trigger and queue is found by the setting.
    settingsFiles: false,
    parameters: { ...TEST_STACK_SETTINGS.parameters, REGION: 'europe-west1' },
    secrets: { MAIL_SMTP_URL: smtp.url },
    onLine: (source, line) => {
      console.log(`${source}: ${line}`);
    },
  });
  resources.defer(stack.stop);
  // The Admin SDK of this file uses that stack.
  const { env, projectId } = stack;
  Object.assign(process.env, env, { FIREBASE_CONFIG: JSON.stringify({ projectId }) });
  firestore = adminFirestore();
  client = resources.adopt(initializeApp({ apiKey: 'local', projectId }, 'triggers'), deleteApp);
});

/** Waits until a document meets a condition. */
async function documentWhere(
  path: string,
  isWanted: (snapshot: DocumentSnapshot) => boolean,
): Promise<DocumentSnapshot> {
  const { promise, resolve, reject } = Promise.withResolvers<DocumentSnapshot>();
  const unsubscribe = firestore.doc(path).onSnapshot((snapshot) => {
    if (isWanted(snapshot)) resolve(snapshot);
  }, reject);
  try {
    return await promise;
  } finally {
    unsubscribe();
  }
}

test('Hosting finds the API in the region of the settings', async () => {
  expect(stack.urls.api).toMatch(/\/europe-west1\/api$/);
  expect((await call('GET', `${stack.urls.hosting}/api/health`)).status).toBe(200);
});

test('a document in mail/ is sent', async () => {
  const message = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  await firestore.doc('mail/first').create({ to: ['ann@example.com'], message });
  const mail = await documentWhere('mail/first', (snapshot) =>
    ['SUCCESS', 'ERROR'].includes(String(snapshot.get('delivery.state'))),
  );
  expect(mail.get('delivery')).toMatchObject({ state: 'SUCCESS', attempts: 1, error: null });
  expect(smtp.messages.map(({ to }) => to)).toEqual([['ann@example.com']]);
});

test('a document in pushes/ is handled and deleted', async () => {
  const at = new Date();
  const recipient = { uid: 'without-account', email: null, sentBy: null };
  const push = { title: 'Hearth', body: 'Hello', data: {}, sentTo: [], createdAt: at, deleteAt: at };
  await firestore.doc('pushes/first').create({ ...recipient, ...push });
  await documentWhere('pushes/first', ({ exists }) => !exists);
});

/** A plan of the project that users buy by the month. A project may have none. */
const ofUsers = subscribablePlans('user').filter(({ prices }) => prices.month !== undefined);

test.each(ofUsers.slice(0, 1))(
  'a client of the Stripe extension buys $slug, and reads the subscription',
  async ({ slug }) => {
    const account = { email: 'buyer@example.com', password: 'correct horse' };
    const { uid } = await adminAuth().createUser(account);
    const payments = await extensionClientOf(account, stack);
    // The event about a price copies it. The stack has none before.
    const price = `price_hearth_${slug}_month`;
    await call('POST', `${stack.urls.stripe}/v1/prices/${price}`, {
      headers: {
        Authorization: 'Bearer sk_test_hearth_local',
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: 'nickname=Monthly',
    });
    await documentWhere(`products/prod_hearth_${slug}/prices/${price}`, ({ exists }) => exists);
    const session = await createCheckoutSession(
      payments,
      { price, success_url: stack.urls.app, cancel_url: stack.urls.app },
      { timeoutMillis: BACKSTOP_MS },
    );
    await fetch(session.url, { method: 'POST', redirect: 'manual' });
    await documentWhere(`customers/${uid}`, (snapshot) => snapshot.get('plan') === slug);
    expect(await getCurrentUserSubscriptions(payments)).toMatchObject([{ status: 'active', role: slug }]);
  },
);

test('a new user gets a profile, also without a session', async () => {
  const { uid } = await adminAuth().createUser({ email: 'new@example.com', displayName: 'New' });
  const profile = await documentWhere(`users/${uid}`, ({ exists }) => exists);
  expect(profile.data()).toMatchObject({ email: 'new@example.com', displayName: 'New', activeTeamId: null });
});

test('all data of a user is removed after the client SDK deleted the account', async () => {
  const auth = getAuth(client);
  connectAuthEmulator(auth, stack.urls.auth, { disableWarnings: true });
  const { user } = await createUserWithEmailAndPassword(auth, 'ann@example.com', 'correct horse');
  const signIn = await call('POST', `${stack.urls.api}/api/auth/session`, {
    headers: { Origin: stack.urls.app },
    json: { idToken: await user.getIdToken() },
  });
  expect(signIn.status).toBe(201);
  expect((await firestore.doc(`users/${user.uid}`).get()).exists).toBe(true);

  await deleteUser(user);
  await documentWhere(`users/${user.uid}`, ({ exists }) => !exists);
  expect((await firestore.collection(`users/${user.uid}/sessions`).get()).size).toBe(0);
});

/** Registers a user in the stack of this file. */
async function signUp(email: string) {
  const url = `${stack.urls.auth}/identitytoolkit.googleapis.com/v1/accounts`;
  const json = { email, password: 'correct horse', returnSecureToken: true };
  const { localId } = (await (await call('POST', `${url}:signUp?key=local`, { json })).json()) as {
    localId: string;
  };
  await adminAuth().updateUser(localId, { emailVerified: true });
  const signedIn = await call('POST', `${url}:signInWithPassword?key=local`, { json });
  const { idToken } = (await signedIn.json()) as { idToken: string };
  /** The response, with the id of a created object. */
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${idToken}` };
    const response = await call(method, `${stack.urls.api}${path}`, { headers, ...(body && { json: body }) });
    const { id = '' } = response.status === 201 ? ((await response.json()) as { id?: string }) : {};
    return Object.assign(response, { id });
  };
  return { email, ask };
}

/** A plan of the project with a price for each member. A project may have none. */
const perSeat = PROJECT_PLANS.filter((plan) => plan.perSeat === true && plan.limits.seats > 1);

test.each(perSeat.slice(0, 1))('the task queue bills a new member of a team with $slug', async ({ slug }) => {
  const [owner, guest] = [await signUp('owner@example.com'), await signUp('guest@example.com')];
  const team = await owner.ask('POST', '/api/auth/teams', { name: 'Acme' });
  const checkout = await owner.ask('GET', `/api/auth/checkout/${slug}?team=${team.id}`);
  await fetch(locationOf(checkout), { method: 'POST', redirect: 'manual' });
  await documentWhere(`teams/${team.id}`, (snapshot) => snapshot.get('billingDependsOnMembers') === true);
  const { docs } = await firestore.collection(`customers/${team.id}/subscriptions`).get();
  expect(docs.map((document) => document.get('quantity') as number)).toEqual([1]);

  const invitation = await owner.ask('POST', `/api/auth/teams/${team.id}/invitations`, {
    email: guest.email,
    role: 'member',
  });
  const joined = await guest.ask('GET', `/api/team/accept-invitation?invitationId=${invitation.id}`);
  expect(joined.status).toBe(303);
  await documentWhere(docs[0]?.ref.path ?? '', (snapshot) => snapshot.get('quantity') === 2);
});

/** A client of the app that only uses Firebase's SDK. */
async function openApp() {
  const { projectId, ports } = stack;
  // The bucket that the CLI sets for the functions of a demo project.
  const storageBucket = `${projectId}.appspot.com`;
  const app = initializeApp({ projectId, apiKey: 'test', storageBucket }, randomUUID());
  onTestFinished(() => deleteApp(app));
  const auth = getAuth(app);
  connectAuthEmulator(auth, `http://127.0.0.1:${ports.auth}`, { disableWarnings: true });
  const firestore = getFirestore(app);
  connectFirestoreEmulator(firestore, '127.0.0.1', ports.firestore);
  const storage = getStorage(app);
  connectStorageEmulator(storage, '127.0.0.1', ports.storage);
  const { user } = await createUserWithEmailAndPassword(auth, `${randomUUID()}@example.com`, 'correct horse');
  await adminAuth().updateUser(user.uid, { emailVerified: true });
  await user.getIdToken(true);

  /** Starts to upload a picture, like the example. */
  const start = (bytes: Uint8Array) =>
    startUpload(storage, firestore, user.uid, { name: 'photo.png', contentType: 'image/png', bytes });
  return { start };
}

test('the document of a direct upload shows its result to the client', async () => {
  const { start } = await openApp();

  const bytes = pngOfSize(3_000_000);
  const { task, outcome } = start(bytes);
  const states = new Set<string>();
  task.on('state_changed', ({ state, bytesTransferred, totalBytes }) => {
    states.add(state);
    if (state === 'running' && !states.has('paused') && bytesTransferred > 0 && bytesTransferred < totalBytes)
      task.pause();
    if (state === 'paused') setImmediate(() => task.resume());
  });
  const stored = await outcome;
  expect(states).toEqual(new Set(['running', 'paused']));
  expect(stored).toMatchObject({
    name: 'photo.png',
    status: 'stored',
    size: bytes.length,
    dimensions: { width: 8, height: 8 },
  });
  const fetched = await fetch(stored.url ?? '');
  expect(Buffer.from(await fetched.arrayBuffer()).equals(bytes)).toBe(true);

  const refused = await start(Buffer.from('<script>alert(1)</script>')).outcome;
  expect(refused).toMatchObject({ status: 'refused', reason: 'unsupported_media_type', url: null });
});
