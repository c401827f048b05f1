import { FieldValue, type DocumentReference, type QueryDocumentSnapshot } from 'firebase-admin/firestore';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sweepDeletedAccounts } from '../functions/src/account/sweep.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { meterFirestore } from './support/cost.ts';
import { adminAuth, adminFirestore, signIn, signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { useResources } from './support/resources.ts';

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  // Own Firestore, because the key of the hashes and the position of the sweep exist once.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp());
});

const ask = (method: string, headers: Record<string, string>, path: string, json?: unknown) =>
  call(method, `${app.url}/api/auth/${path}`, { headers: { Origin: APP_URL, ...headers }, json });

const change = (person: Person) => ask('PATCH', person.bearer, 'user', { displayName: 'Ada' });
const deleteUser = (person: Person) => ask('DELETE', person.bearer, 'user');

async function exportOf(person: Person): Promise<Record<string, unknown>> {
  const response = await ask('GET', person.bearer, 'user/export');
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

const documentAt = (path: string) => adminFirestore().doc(path);
const profileOf = ({ uid }: Person) => documentAt(`users/${uid}`);
const existing = async (ref: DocumentReference) => (await ref.get()).exists;

async function sessionsOf({ uid }: Person): Promise<QueryDocumentSnapshot[]> {
  return (await adminFirestore().collection(`users/${uid}/sessions`).get()).docs;
}

/** New values of fields. */
type Damage = [what: string, change: () => Record<string, unknown>];

const reference = () => documentAt('elsewhere/document');
const DAMAGED = { status: 500, code: 'document_damaged' };

describe.each<Damage>([
  ['a reference in displayName', () => ({ displayName: reference() })],
  ['no createdAt', () => ({ createdAt: FieldValue.delete() })],
  ['a number in photoURL', () => ({ photoURL: 5 })],
])('a profile with %s', (_what, damage) => {
  async function damaged(): Promise<Person> {
    const person = await signUp();
    await startSession(app.url, person);
    await profileOf(person).update(damage());
    return person;
  }

  test('does not prevent a sign-in, and cannot be changed', async () => {
    const person = await damaged();
    await startSession(app.url, await signIn(person));
    expect(await errorOf(await change(person))).toMatchObject(DAMAGED);
  });

  test('is named as incomplete in the export', async () => {
    const all = await exportOf(await damaged());
    expect(all).toMatchObject({ profile: null, incomplete: ['profile'] });
  });

  test('is deleted with the account, and by the sweep', async () => {
    const [person, other] = await Promise.all([damaged(), damaged()]);
    expect((await deleteUser(person)).status).toBe(204);
    await adminAuth().deleteUsers([other.uid]);
    expect(await sweepDeletedAccounts(app.backend)).toBe(1);
    expect([await existing(profileOf(person)), await existing(profileOf(other))]).toEqual([false, false]);
  });
});

test('unknown fields of profile and session are ignored', async () => {
  const person = await signUp();
  const cookie = await startSession(app.url, person);
  const [session] = await sessionsOf(person);
  for (const ref of [profileOf(person), session?.ref]) await ref?.update({ extra: reference() });
  expect((await change(person)).status).toBe(200);
  const list = await ask('GET', cookie, 'sessions');
  expect(await list.json()).toMatchObject({ sessions: [{ id: session?.id, current: true }] });
});

describe.each<Damage>([
  ['a reference in signInMethod', () => ({ signInMethod: reference() })],
  ['no signedInAt', () => ({ signedInAt: FieldValue.delete() })],
  ['a text in providerUids', () => ({ providerUids: 'uid' })],
])('the document of a session with %s', (_what, damage) => {
  async function damaged() {
    const person = await signUp();
    const cookie = await startSession(app.url, person);
    const [session] = await sessionsOf(person);
    await session?.ref.update(damage());
    return { person, cookie, id: session?.id ?? '' };
  }

  test('keeps the session open, and the list leaves it out', async () => {
    const { person, cookie } = await damaged();
    const list = await ask('GET', cookie, 'sessions');
    expect([list.status, await list.json()]).toEqual([200, { sessions: [], nextCursor: null }]);
    expect(await exportOf(person)).toMatchObject({ sessions: [], incomplete: ['sessions'] });
  });

  test('is deleted by its id, by signing out and with the account', async () => {
    const [one, two, three] = [await damaged(), await damaged(), await damaged()];
    const answers = [
      await ask('DELETE', one.person.bearer, `sessions/${one.id}`),
      await ask('DELETE', two.cookie, 'session'),
      await deleteUser(three.person),
    ];
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    const left = await Promise.all([one, two, three].map(({ person }) => sessionsOf(person)));
    expect(left.flat()).toEqual([]);
  });
});

describe.each<Damage>([
  ['a reference in teamId', () => ({ teamId: reference() })],
  ['a text in at', () => ({ at: 'yesterday' })],
  ['no action', () => ({ action: FieldValue.delete() })],
])('an entry of the audit log with %s', (_what, damage) => {
  async function entry(fields: object): Promise<DocumentReference> {
    const ref = adminFirestore().collection('auditLog').doc();
    const { uid } = await signUp();
    const intact = { teamId: 't', actorId: uid, action: 'member.removed', target: uid, at: new Date() };
    await ref.create({ ...intact, details: {}, ...fields });
    await ref.update(damage());
    return ref;
  }

  test('is named as incomplete in the export, and pseudonymized with the account', async () => {
    const person = await signUp();
    const { uid, email } = person;
    const entries = await Promise.all([
      entry({ actorId: uid, details: { email } }),
      entry({ target: uid, details: { email: 'earlier@example.com' } }),
      entry({ details: { offeredBy: uid } }),
    ]);
    expect(await exportOf(person)).toMatchObject({ incomplete: ['auditEntriesBy', 'auditEntriesAbout'] });
    expect((await deleteUser(person)).status).toBe(204);
    const text = JSON.stringify(await Promise.all(entries.map(async (ref) => (await ref.get()).data())));
    for (const trace of [uid, email, 'earlier@example.com']) expect(text).not.toContain(trace);
    // The entry about the user gets `details.mail` too: it is damaged, so it may have the id of a mail.
    expect(text.match(/deleted:/g)).toHaveLength(6);
  });
});

describe('the key of the hashes', () => {
  afterEach(() => documentAt('keys/hashes').delete());

  test.each<Damage>([
    ['a reference', () => ({ key: reference() })],
    ['no key', () => ({ key: FieldValue.delete() })],
  ])('with %s prevents the deletion of accounts before it changes data', async (_what, damage) => {
    const key = { key: 'x'.repeat(43), createdAt: new Date() };
    await documentAt('keys/hashes').set(key);
    await documentAt('keys/hashes').update(damage());
    const person = await signUp();
    expect(await errorOf(await deleteUser(person))).toMatchObject(DAMAGED);
    await documentAt('keys/hashes').set(key);
    expect((await deleteUser(person)).status).toBe(204);
  });
});

test.each<Damage>([
  ['a number', () => ({ after: 5 })],
  ['a reference', () => ({ after: reference() })],
])('a sweep position with %s restarts the sweep from the first profile', async (_what, damage) => {
  const person = await signUp();
  await startSession(app.url, person);
  await adminAuth().deleteUsers([person.uid]);
  await documentAt('sweeps/accounts').set(damage());
  expect(await sweepDeletedAccounts(app.backend)).toBe(1);
  expect((await documentAt('sweeps/accounts').get()).data()).toMatchObject({ after: null });
});
