import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { sweepDeletedAccounts } from '../functions/src/account/sweep.service.ts';
import type { Backend } from '../functions/src/backend.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { meterFirestore } from './support/cost.ts';
import { adminAuth, adminFirestore } from './support/people.ts';
import { useResources } from './support/resources.ts';

/** The logger stores the console's functions when it is loaded, so they are replaced before that. */
const { lines } = vi.hoisted(() => {
  const lines: string[] = [];
  console.error = (line: string) => {
    lines.push(line);
  };
  return { lines };
});

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  // Own Firestore, because the sweep visits all profiles.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp());
});

/** Profiles without a user. An anonymous user has no address. */
async function addOrphans(count: number, email: string | null): Promise<void> {
  const writer = adminFirestore().bulkWriter();
  for (let index = 0; index < count; index++) {
    const path = `users/orphan-${email === null ? 'anonymous' : 'lost'}-${index}`;
    void writer.create(adminFirestore().doc(path), { createdAt: new Date(), email });
  }
  await writer.close();
}

const limited = (accountSweepLimit: number): Backend => ({
  ...app.backend,
  config: { ...app.backend.config, accountSweepLimit },
});
const pass = (limit: number, pageSize?: number) => sweepDeletedAccounts(limited(limit), pageSize);
const orphanIds = async () => (await adminFirestore().collection('users').get()).docs.map(({ id }) => id);

beforeEach(async () => {
  await adminFirestore().doc('sweeps/accounts').delete();
  await addOrphans(6, 'lost@example.com');
});
afterEach(async () => {
  await adminFirestore().doc('sweeps/accounts').delete();
  await sweepDeletedAccounts(app.backend);
});

test('a pass removes nothing of a page with too many lost accounts until the operator raises the limit', async () => {
  expect(await pass(5)).toBe(0);
  expect(await pass(5)).toBe(0);
  expect(await orphanIds()).toHaveLength(6);
  expect(await pass(6)).toBe(6);
});

test('after a pass within the limit, its count does not hinder the next one', async () => {
  expect(await pass(6)).toBe(6);
  await addOrphans(1, 'lost@example.com');
  expect(await pass(5)).toBe(1);
});

test('the pages of a pass are counted together', async () => {
  expect(await pass(5, 2)).toBe(4);
  expect(await orphanIds()).toHaveLength(2);
  // The pass before has found six.
  expect(await pass(5, 2)).toBe(0);
  expect(await pass(5, 2)).toBe(2);
});

test('a later run continues the count', async () => {
  let isOver = false;
  const { auth } = app.backend;
  const timed = Object.create(auth, {
    getUsers: {
      value: (identifiers: { uid: string }[]) => {
        isOver = true;
        return auth.getUsers(identifiers);
      },
    },
  }) as typeof auth;
  const now = () => new Date(Date.now() + (isOver ? 3_600_000 : 0));
  // The run begins one account, although looking up the page took all the time.
  expect(await sweepDeletedAccounts({ ...limited(5), auth: timed, now }, 2)).toBe(1);
  expect(await pass(5, 2)).toBe(4);
  expect(await orphanIds()).toHaveLength(1);
});

test('a user whose account was imported again keeps everything', async () => {
  const [, restored = ''] = await orphanIds();
  expect(await pass(5)).toBe(0);
  await adminAuth().importUsers([{ uid: restored }]);
  expect(await pass(5)).toBe(0);
  expect(await pass(5)).toBe(5);
  expect(await orphanIds()).toEqual([restored]);
  await adminAuth().deleteUser(restored);
});

test('anonymous users, whom Firebase Auth may delete by itself, do not count', async () => {
  await addOrphans(6, null);
  expect(await pass(6)).toBe(12);
});

test('a user whose profile has no address counts with a customer document or a team', async () => {
  await addOrphans(2, null);
  const [buyer, member] = ['orphan-anonymous-0', 'orphan-anonymous-1'];
  const createdAt = new Date();
  await adminFirestore().doc(`customers/${buyer}`).create({ type: 'user', createdAt });
  const membership = { uid: member, role: 'member', email: null, displayName: null, joinedAt: createdAt };
  await adminFirestore().doc(`teams/any/members/${member}`).create(membership);
  expect(await pass(7)).toBe(0);
  await adminFirestore().doc('sweeps/accounts').delete();
  const withAnonymousTeams = { ...limited(7).config, anonymousTeams: true };
  expect(await sweepDeletedAccounts({ ...app.backend, config: withAnonymousTeams })).toBe(8);
});

test('each run that removes nothing logs an error', async () => {
  for (let run = 0; run < 2; run++) {
    lines.length = 0;
    await pass(5);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { severity: 'ERROR', message: 'Many users have no account, so their data stays', found: '6' },
    ]);
  }
});
