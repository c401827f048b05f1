import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUpAccount } from '../functions/src/account/delete.service.ts';
import { BRAND } from '../shared/src/brand.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { STRIPE_SECRET_KEY } from './support/config.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { formWith, png } from './support/files.ts';
import { adminAuth, adminFirestore, signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf, locationOf, visit } from './support/requests.ts';
import { addMember, auditLogOf, createTeam, inviteTo, mailTo, membersOf } from './support/teams.ts';

let app: AppUnderTest;
let stripe: Stripe;
/** A Firestore of its own: in the stack's, the deployed trigger cleans up, and it knows another Stripe. */
let firestore: MeteredFirestore;
beforeAll(async () => {
  firestore = await meterFirestore();
  app = await serveApp();
  stripe = new Stripe(STRIPE_SECRET_KEY, { host: '127.0.0.1', port: app.stripe.port, protocol: 'http' });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await firestore[Symbol.asyncDispose]();
});

const deleteUser = (person: Person, appUrl = app.url) =>
  call('DELETE', `${appUrl}/api/auth/user`, { headers: person.bearer });
/** Does the same as the trigger of a deleted user. */
const cleanUp = ({ uid, email }: Person) => cleanUpAccount(app.backend, { uid, email, emailVerified: true });

const DELETED = `Your account at ${BRAND.name} is deleted`;

const PSEUDONYM = expect.stringMatching(/^deleted:[\w-]{22}$/) as string;

const isThere = async (path: string) => (await adminFirestore().doc(path).get()).exists;

async function hasAccount({ uid }: Person): Promise<boolean> {
  return (await adminAuth().getUsers([{ uid }])).users.length > 0;
}

/** @param teamId the team that pays; by default the person pays */
async function subscribe(person: Person, teamId?: string): Promise<Stripe.Subscription> {
  const page = locationOf(
    await visit(
      `${app.url}/api/auth/checkout/pro${teamId === undefined ? '' : `?team=${teamId}`}`,
      person.bearer,
    ),
  );
  await fetch(page, { method: 'POST', redirect: 'manual' });
  await app.stripe.idle();
  const { docs } = await adminFirestore()
    .collection(`customers/${teamId ?? person.uid}/subscriptions`)
    .get();
  return stripe.subscriptions.retrieve(docs[0]?.id ?? '');
}

async function upload({ bearer }: Person): Promise<string> {
  const body = formWith(png(), 'me.png');
  const response = await call('POST', `${app.url}/api/upload`, { headers: bearer, body });
  return ((await response.json()) as { url: string }).url;
}

const ownerOf = async (teamId: string) =>
  (await adminFirestore().doc(`teams/${teamId}`).get()).get('ownerId') as unknown;

/** The documents of a user in Firestore, by collection. */
async function tracesOf({ uid }: Person): Promise<string[]> {
  const firestore = adminFirestore();
  const found = await Promise.all([
    firestore.collection(`users/${uid}/sessions`).get(),
    firestore.collection(`customers/${uid}/subscriptions`).get(),
    firestore.collection(`customers/${uid}/checkout_sessions`).get(),
    firestore.collection(`customers/${uid}/payments`).get(),
    firestore.collectionGroup('members').where('uid', '==', uid).get(),
    firestore.collection('uploads').where('ownerId', '==', uid).get(),
  ]);
  const paths = found.flatMap(({ docs }) => docs.map(({ ref }) => ref.path));
  for (const path of [`users/${uid}`, `customers/${uid}`]) if (await isThere(path)) paths.push(path);
  return paths;
}

describe('DELETE /api/auth/user', () => {
  test('removes the account and all data of the user, and no data of others', async () => {
    const [person, owner] = await Promise.all([signUp(), signUp()]);
    const teamId = await createTeam(app.url, owner);
    await addMember(teamId, person, 'member');
    const cookie = await startSession(app.url, person);
    await adminFirestore().collection(`customers/${person.uid}/checkout_sessions`).add({ price: 'price_1' });
    const [subscription, url, kept] = await Promise.all([subscribe(person), upload(person), upload(owner)]);

    const path = `customers/${person.uid}/subscriptions/${subscription.id}/invoices/in_1`;
    await adminFirestore().doc(path).create({ id: 'in_1' });

    const response = await call('DELETE', `${app.url}/api/auth/user`, {
      headers: { ...cookie, Origin: app.config.appUrl },
    });
    expect([response.status, response.headers.getSetCookie()]).toEqual([
      204,
      [expect.stringMatching(/^__session=;/)],
    ]);
    expect(await hasAccount(person)).toBe(false);
    expect(await tracesOf(person)).toEqual([]);
    expect(await isThere(path)).toBe(false);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'canceled' });
    expect([(await fetch(url)).ok, (await fetch(kept)).ok]).toEqual([false, true]);
    expect(await membersOf(teamId)).toEqual([expect.objectContaining({ uid: owner.uid })]);
    for (const headers of [cookie, person.bearer]) {
      expect((await call('GET', `${app.url}/api/auth/session`, { headers })).status).toBe(401);
    }
  });

  test('expires an open checkout, so that nobody pays for a deleted account', async () => {
    const person = await signUp();
    const page = locationOf(await visit(`${app.url}/api/auth/checkout/pro`, person.bearer));
    expect((await deleteUser(person)).status).toBe(204);
    const [customer] = (await stripe.customers.list({ email: person.email })).data;
    const { data } = await stripe.checkout.sessions.list({ customer: customer?.id ?? '' });
    expect(data.map(({ status }) => status)).toEqual(['expired']);
    expect((await fetch(page, { method: 'POST', redirect: 'manual' })).ok).toBe(false);
  });

  test('is not finished as long as Stripe refuses to expire an open checkout', async () => {
    const person = await signUp();
    const page = locationOf(await visit(`${app.url}/api/auth/checkout/pro`, person.bearer));
    await call('POST', `${app.stripe.url}/_emulator/fail`, {
      json: { method: 'POST', path: '/v1/checkout/sessions/:id/expire', status: 400 },
    });
    expect((await deleteUser(person)).status).toBe(500);
    expect(await hasAccount(person)).toBe(true);
    expect((await deleteUser(person)).status).toBe(204);
    expect((await fetch(page, { method: 'POST', redirect: 'manual' })).ok).toBe(false);
  });

  test('needs a sign-in within the last five minutes', async () => {
    const person = await signUp();
    await using later = await serveApp({ backend: { now: () => new Date(Date.now() + 301_000) } });
    expect(await errorOf(await deleteUser(person, later.url))).toMatchObject({
      status: 403,
      code: 'recent_sign_in_required',
    });
    expect(await hasAccount(person)).toBe(true);
  });

  test('is refused with a cookie from another site', async () => {
    const person = await signUp();
    const headers = { ...(await startSession(app.url, person)), Origin: 'https://evil.example' };
    expect((await call('DELETE', `${app.url}/api/auth/user`, { headers })).status).toBe(403);
    expect(await hasAccount(person)).toBe(true);
  });

  test('is refused to the last owner of a team before anything changes', async () => {
    const [person, other] = await Promise.all([signUp(), signUp()]);
    const owned = await createTeam(app.url, person, 'Lighthouse');
    await addMember(owned, other, 'admin');
    const joined = await createTeam(app.url, other);
    await addMember(joined, person, 'member');
    const subscription = await subscribe(person);

    const refusal = await errorOf(await deleteUser(person));
    expect(refusal).toMatchObject({ status: 409, code: 'last_owner' });
    expect(refusal.error).toContain('Lighthouse');
    expect(await hasAccount(person)).toBe(true);
    expect(await membersOf(joined)).toHaveLength(2);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' });
  });

  test('passes the team on to another owner, and the audit log has no address', async () => {
    const [person, other] = await Promise.all([signUp(), signUp()]);
    const teamId = await createTeam(app.url, person);
    await addMember(teamId, other, 'owner');
    expect((await deleteUser(person)).status).toBe(204);
    expect(await ownerOf(teamId)).toBe(other.uid);
    expect((await auditLogOf(teamId)).at(-1)).toEqual(
      expect.objectContaining({
        action: 'member.left',
        actorId: PSEUDONYM,
        target: PSEUDONYM,
        details: { role: 'owner', reason: 'account_deleted' },
      }),
    );
  });

  test('refuses one of two last owners who delete their accounts at the same time', async () => {
    const [first, second] = await Promise.all([signUp(), signUp()]);
    const teamId = await createTeam(app.url, first);
    await addMember(teamId, second, 'owner');
    const answers = await Promise.all([deleteUser(first), deleteUser(second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await membersOf(teamId)).toEqual([expect.objectContaining({ role: 'owner' })]);
  });

  test('runs once for concurrent requests, and refuses none of them', async () => {
    const person = await signUp();
    await subscribe(person);
    const answers = await Promise.all(Array.from({ length: 4 }, () => deleteUser(person)));
    const statuses = new Set(answers.map(({ status }) => status));
    statuses.delete(401);
    expect([...statuses]).toEqual([204]);
    expect(await tracesOf(person)).toEqual([]);
  });

  test('answers 503 while Stripe is down, keeps the account, and continues when it is repeated', async () => {
    const person = await signUp();
    const subscription = await subscribe(person);
    await call('POST', `${app.stripe.url}/_emulator/fail`, {
      json: { method: 'GET', path: '/v1/subscriptions', status: 500, times: 3 },
    });
    expect(await errorOf(await deleteUser(person))).toMatchObject({
      status: 503,
      code: 'billing_unavailable',
    });
    expect(await hasAccount(person)).toBe(true);
    expect((await deleteUser(person)).status).toBe(204);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'canceled' });
    expect(await tracesOf(person)).toEqual([]);
  });

  test('continues with the same cookie after Firebase Auth failed to delete the account', async () => {
    const auth = new Proxy(adminAuth(), {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (name === 'deleteUser') return () => Promise.reject(new Error('out of reach'));
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    await using failing = await serveApp({ backend: { auth } });
    const person = await signUp();
    const headers = { ...(await startSession(app.url, person)), Origin: app.config.appUrl };
    expect((await call('DELETE', `${failing.url}/api/auth/user`, { headers })).status).toBe(500);
    expect((await call('DELETE', `${app.url}/api/auth/user`, { headers })).status).toBe(204);
    expect([await hasAccount(person), await tracesOf(person)]).toEqual([false, []]);
  });

  test('is confirmed by one mail, and only after all data is removed', async () => {
    const person = await signUp();
    const { db } = app.backend;
    const purge: typeof db.purge = async (query, limit) => {
      if (!(await hasAccount(person))) throw new Error('died');
      return db.purge(query, limit);
    };
    const dying = Object.create(db, { purge: { value: purge } }) as typeof db;
    await using failing = await serveApp({ backend: { db: dying } });
    expect((await deleteUser(person, failing.url)).status).toBe(500);
    expect([await hasAccount(person), await mailTo(person.email)]).toEqual([false, []]);
    await Promise.all([cleanUp(person), cleanUp(person)]);
    expect((await mailTo(person.email)).map(({ subject }) => subject)).toEqual([DELETED]);
    expect(await tracesOf(person)).toEqual([]);
  });

  test("finishes an interrupted deletion of the user's team, also by several requests at once", async () => {
    const person = await signUp();
    const teamId = await createTeam(app.url, person);
    await adminFirestore().doc(`teams/${teamId}`).update({ deletingSince: new Date() });
    const answers = await Promise.all(Array.from({ length: 4 }, () => deleteUser(person)));
    const statuses = new Set(answers.map(({ status }) => status));
    statuses.delete(401);
    expect([...statuses]).toEqual([204]);
    expect(await isThere(`teams/${teamId}`)).toBe(false);
    expect(await tracesOf(person)).toEqual([]);
  });
});

describe('after a user is deleted by a client SDK or in the console', () => {
  async function deletedElsewhere(person: Person): Promise<void> {
    await adminAuth().deleteUser(person.uid);
  }

  test('all of their data is removed, also when the event arrives late, and twice at the same time', async () => {
    const person = await signUp();
    await startSession(app.url, person);
    const [subscription, url] = await Promise.all([subscribe(person), upload(person)]);
    await deletedElsewhere(person);
    await Promise.all([cleanUp(person), cleanUp(person)]);
    await cleanUp(person);
    expect(await tracesOf(person)).toEqual([]);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'canceled' });
    expect((await fetch(url)).ok).toBe(false);
  });

  test('one mail to a verified address confirms it, unless somebody else has the address now', async () => {
    const [person, former, unverified] = [await signUp(), await signUp(), await signUp()];
    for (const each of [person, former, unverified]) await deletedElsewhere(each);
    await signUp({ email: former.email });
    await cleanUp(person);
    await cleanUp(person);
    await cleanUp(former);
    await cleanUpAccount(app.backend, { ...unverified, emailVerified: false });
    expect((await mailTo(person.email)).map(({ subject }) => subject)).toEqual([DELETED]);
    expect([await mailTo(former.email), await mailTo(unverified.email)]).toEqual([[], []]);
  });

  test('nothing is removed while the account exists, such as an imported one', async () => {
    const person = await signUp();
    await startSession(app.url, person);
    await cleanUp(person);
    expect(await isThere(`users/${person.uid}`)).toBe(true);
  });

  test.each([
    ['the senior admin', ['member', 'admin', 'admin'], 1],
    ['the senior member of a team without admins', ['member', 'member'], 0],
    ['another owner', ['admin', 'owner'], 1],
  ])('a team without another owner gets %s as owner', async (_who, roles, heir) => {
    const person = await signUp();
    const teamId = await createTeam(app.url, person);
    const others: Person[] = [];
    for (const role of roles) {
      const other = await signUp();
      await addMember(teamId, other, role);
      others.push(other);
    }
    await deletedElsewhere(person);
    await cleanUp(person);
    const members = await membersOf(teamId);
    expect(await ownerOf(teamId)).toBe(others[heir]?.uid);
    expect(members.find(({ uid }) => uid === others[heir]?.uid)).toMatchObject({ role: 'owner' });
    expect(members).toHaveLength(roles.length);
    const left = { actorId: 'system', action: 'member.left', target: PSEUDONYM };
    expect(await auditLogOf(teamId)).toContainEqual(expect.objectContaining(left));
  });

  test('a team without members is removed with its invitations and its subscription', async () => {
    const person = await signUp();
    const teamId = await createTeam(app.url, person);
    const { id } = await inviteTo(app.url, person, teamId, 'somebody@example.com');
    const subscription = await subscribe(person, teamId);

    await deletedElsewhere(person);
    await cleanUp(person);
    expect(await isThere(`teams/${teamId}`)).toBe(false);
    expect(await isThere(`invitations/${id}`)).toBe(false);
    expect((await auditLogOf(teamId)).slice(-3)).toMatchObject([
      { actorId: 'system', action: 'team.deletion_started', details: { subscription: 'ended' } },
      { actorId: 'system', action: 'billing.plan_changed' },
      { actorId: 'system', action: 'team.deleted' },
    ]);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'canceled' });
    expect(await tracesOf(person)).toEqual([]);
  });
});
