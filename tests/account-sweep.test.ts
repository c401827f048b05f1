import { beforeAll, expect, test } from 'vitest';
import { sweepAccountsWhenDue, sweepDeletedAccounts } from '../functions/src/account/sweep.service.ts';
import type { Backend } from '../functions/src/backend.ts';
import { compPlan } from '../functions/src/billing/grants/comp.service.ts';
import { DAY_MS } from '../functions/src/common/durations.ts';
import type { FeatureHooks } from '../functions/src/feature-hooks/hooks.ts';
import { FEATURE_HOOKS } from '../functions/src/feature-hooks/registry.ts';
import type { Purge } from '../functions/src/personal-data/purge.ts';
import { BRAND } from '../shared/src/brand.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { checkout } from './support/billing.ts';
import { meterFirestore } from './support/cost.ts';
import { formWith, png } from './support/files.ts';
import { adminAuth, adminFirestore, signUp, startSession, type Person } from './support/people.ts';
import { call, visit } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { slowPurge } from './support/slow-purge.ts';
import { auditLogOf, createTeam, invitationStatus, inviteTo, mailTo, setSeatLimit } from './support/teams.ts';

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  // Own Firestore, because the sweep visits all profiles.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp());
});

const sweep = () => sweepDeletedAccounts(app.backend);
const subjectOf = ({ subject }: { subject: string }) => subject;
const profileIds = async () => (await adminFirestore().collection('users').get()).docs.map(({ id }) => id);

/** Profiles without a user. The order of their ids is the order of their numbers. */
async function addOrphans(count: number): Promise<void> {
  const writer = adminFirestore().bulkWriter();
  for (let index = 0; index < count; index++) {
    const uid = `0-orphan-${String(index).padStart(4, '0')}`;
    void writer.create(adminFirestore().doc(`users/${uid}`), { createdAt: new Date() });
  }
  await writer.close();
}

test('data of users is removed if their deletion in bulk raised no event', async () => {
  const people = await Promise.all([signUp(), signUp(), signUp()]);
  await Promise.all(people.map((person) => startSession(app.url, person)));
  const [kept, ...gone] = people.map(({ uid }) => uid);
  await adminAuth().deleteUsers(gone);

  expect(await sweep()).toBe(2);
  expect(await profileIds()).toEqual([kept]);
  expect(await sweep()).toBe(0);
});

test('users without a profile are found after they used a route that stores something for them', async () => {
  const [founder, sender, joiner] = await Promise.all([signUp(), signUp(), signUp()]);
  const teamId = await createTeam(app.url, founder);
  const { bearer: headers } = sender;
  const sent = await call('POST', `${app.url}/api/upload`, { headers, body: formWith(png(), 'a.png') });
  expect(sent.status).toBe(200);
  const { id } = await inviteTo(app.url, founder, teamId, joiner.email);
  await visit(`${app.url}/api/team/accept-invitation?invitationId=${id}`, joiner.bearer);
  await adminAuth().deleteUsers([founder.uid, sender.uid, joiner.uid]);

  expect(await sweep()).toBe(3);
  expect((await adminFirestore().doc(`teams/${teamId}`).get()).exists).toBe(false);
  expect((await adminFirestore().doc(`usage/${sender.uid}`).get()).exists).toBe(false);
});

test.each<[what: string, use: (person: Person) => Promise<unknown>]>([
  ['opened a checkout', (person) => checkout(app, person, 'pro')],
  [
    'got a plan without payment',
    ({ uid }) =>
      compPlan(
        app.backend,
        { customerId: uid, type: 'user', email: null, name: null },
        { planSlug: 'pro', until: new Date(Date.now() + DAY_MS) },
        () => undefined,
      ),
  ],
])('a user without a profile is found after they %s', async (_what, use) => {
  const person = await signUp();
  await use(person);
  expect((await adminFirestore().doc(`users/${person.uid}`).get()).data()).toMatchObject({
    email: person.email,
  });
  await adminAuth().deleteUsers([person.uid]);
  expect(await sweep()).toBe(1);
  expect((await adminFirestore().doc(`customers/${person.uid}`).get()).exists).toBe(false);
});

test('many confirmations to the address of a user keep neither this user nor the next one from being removed', async () => {
  const people = await Promise.all([signUp(), signUp()]);
  await Promise.all(people.map((person) => startSession(app.url, person)));
  const writer = adminFirestore().bulkWriter();
  for (const { email } of people) {
    for (let index = 0; index < 100; index++) {
      const mail = { to: [email], message: { subject: 'Deleted' }, outlivesAccount: true };
      void writer.create(adminFirestore().collection('mail').doc(), mail);
    }
    void writer.create(
      adminFirestore()
        .collection('mail')
        .doc('~' + email),
      { to: [email], message: {} },
    );
  }
  await writer.close();
  await Promise.all(people.map(({ uid }) => adminAuth().updateUser(uid, { emailVerified: true })));
  const before = await profileIds();
  await adminAuth().deleteUsers(people.map(({ uid }) => uid));

  const started = Date.now();
  const now = () => new Date(Date.now() + (Date.now() - started > 10_000 ? 3_600_000 : 0));
  expect(await sweepDeletedAccounts({ ...app.backend, now })).toBe(2);
  expect(await profileIds()).toHaveLength(before.length - 2);
  for (const { email } of people) {
    const left = await mailTo(email);
    expect(left.filter(({ subject }) => subject !== 'Deleted')).toHaveLength(1);
  }
});

test('the next run continues with the page of a run that died', async () => {
  await addOrphans(50);
  let calls = 0;
  const { auth } = app.backend;
  const dying = Object.create(auth, {
    getUsers: {
      value: (identifiers: { uid: string }[]) => {
        if (identifiers.length > 1 && ++calls === 2) throw new Error('died');
        return auth.getUsers(identifiers);
      },
    },
  }) as typeof auth;
  await expect(sweepDeletedAccounts({ ...app.backend, auth: dying }, 20)).rejects.toThrow('died');
  expect(await profileIds()).toHaveLength(31);
  expect(await sweep()).toBe(30);
  expect(await profileIds()).toHaveLength(1);
});

test('a run whose time is over stores its position, and the next run continues there', async () => {
  await addOrphans(50);
  let isOver = false;
  const now = () => new Date(Date.now() + (isOver ? 3_600_000 : 0));
  const { auth } = app.backend;
  const timed = Object.create(auth, {
    getUsers: {
      value: (identifiers: { uid: string }[]) => {
        isOver = true;
        return auth.getUsers(identifiers);
      },
    },
  }) as typeof auth;
  const first = await sweepDeletedAccounts({ ...app.backend, auth: timed, now }, 20);
  // The run begins one account, so that it gets on although looking up the page took all the time.
  expect(first).toBe(1);
  expect(await sweep()).toBe(49);
});

test('a run whose time is over within a page begins no account, and the next run continues after the last one', async () => {
  await addOrphans(50);
  const stuck = '0-orphan-0000';
  let isOver = false;
  const now = () => new Date(Date.now() + (isOver ? 3_600_000 : 0));
  const begun: string[] = [];
  const purge = async (_backend: Backend, uid: string) => {
    begun.push(uid);
    if (uid === '0-orphan-0006') isOver = true;
    if (uid === stuck) throw new Error('stuck');
    return Promise.resolve(0);
  };
  const backend = { ...app.backend, now, featureHooks: { ...FEATURE_HOOKS, purgeAccount: [purge] } };
  const first = await sweepDeletedAccounts(backend);
  expect(first).toBe(begun.length - 1);
  expect(begun.length).toBeLessThan(12);
  const { after } = (await app.backend.db.sweeps.get('accounts')) ?? {};
  expect(after).toBe(begun.sort().at(-1));
  expect(await sweep()).toBe(49 - first);
  expect(await profileIds()).toContain(stuck);
  expect(await sweep()).toBe(1);
});

test.each([0, 3])(
  'a user with more data than one run purges is visited first by the next run, as profile number %i',
  async (number) => {
    await addOrphans(6);
    const large = `0-orphan-000${number}`;
    const { purge, now, ids } = slowPurge(app.backend.now);
    const purgeLarge: Purge = (backend, uid, limit) =>
      uid === large ? purge(backend, uid, limit) : Promise.resolve(0);
    const backend = { ...app.backend, now, featureHooks: { ...FEATURE_HOOKS, purgeAccount: [purgeLarge] } };
    await sweepDeletedAccounts(backend);
    await sweepAccountsWhenDue(backend);
    expect(ids).toEqual([large, large]);
    expect(await profileIds()).toContain(large);
    await sweepAccountsWhenDue({ ...app.backend, now });
    expect(await profileIds()).not.toContain(large);
    await sweep();
  },
);

test('a round begins once a day, and an hourly run continues one that is under way', async () => {
  const startedAt = new Date();
  const runAfter = async (hours: number, after: string | null) => {
    await adminFirestore().doc('sweeps/accounts').set({ after, startedAt });
    const now = () => new Date(startedAt.getTime() + hours * 3_600_000);
    return sweepAccountsWhenDue({ ...app.backend, now });
  };
  await addOrphans(2);
  expect(await runAfter(1, null)).toBe(0);
  expect(await runAfter(1, '0-orphan-0000')).toBe(1);
  expect(await runAfter(24, null)).toBe(1);
  expect((await app.backend.db.sweeps.get('accounts'))?.startedAt).not.toEqual(startedAt);
});

test('a page of 1,000 profiles is looked up in ten calls', async () => {
  await addOrphans(1_000);
  const { auth } = app.backend;
  const sizes: number[] = [];
  const counting = Object.create(auth, {
    getUsers: {
      value: (identifiers: { uid: string }[]) => {
        sizes.push(identifiers.length);
        return Promise.resolve({ users: [], notFound: [] });
      },
    },
  }) as typeof auth;
  await sweepDeletedAccounts({ ...app.backend, auth: counting });
  expect(sizes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 100));
  const orphans = adminFirestore().collection('users').where('createdAt', '<=', new Date());
  const writer = adminFirestore().bulkWriter();
  for (const { ref, id } of (await orphans.get()).docs) if (id.startsWith('0-')) void writer.delete(ref);
  await writer.close();
});

test('a user whose data cannot be removed does not block the others', async () => {
  await addOrphans(30);
  const stuck = '0-orphan-0000';
  const featureHooks: FeatureHooks<Backend> = {
    ...FEATURE_HOOKS,
    purgeAccount: [
      (_backend, uid) => (uid === stuck ? Promise.reject(new Error('stuck')) : Promise.resolve(0)),
    ],
  };
  const [kept] = (await profileIds()).slice(-1);
  expect(await sweepDeletedAccounts({ ...app.backend, featureHooks })).toBe(29);
  expect(await profileIds()).toEqual([stuck, kept]);
  expect(await sweep()).toBe(1);
});

test('a lost event leaves nothing to a verified address, unless somebody else has the address now', async () => {
  const owner = await signUp();
  const [gone, former, unverified] = [await signUp(), await signUp(), await signUp({ emailVerified: false })];
  const people = [gone, former, unverified];
  await Promise.all(people.map((person) => startSession(app.url, person)));
  const teamId = await createTeam(app.url, owner);
  await setSeatLimit(teamId, 10);
  const ids: string[] = [];
  for (const { email } of people) ids.push((await inviteTo(app.url, owner, teamId, email)).id);
  await adminAuth().deleteUsers(people.map(({ uid }) => uid));
  await signUp({ email: former.email });

  expect(await sweep()).toBe(3);
  expect(await Promise.all(ids.map(invitationStatus))).toEqual([undefined, 'pending', 'pending']);
  const subjects = await Promise.all(people.map(async ({ email }) => (await mailTo(email)).map(subjectOf)));
  const invitation = expect.stringMatching(/invites you to Acme$/) as string;
  expect(subjects).toEqual([[`Your account at ${BRAND.name} is deleted`], [invitation], [invitation]]);
  expect(JSON.stringify(await auditLogOf(teamId))).not.toContain(gone.email);
});
