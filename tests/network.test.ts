import { beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { meterFirestore } from './support/cost.ts';
import { together, watchNetwork, type Network } from './support/network.ts';
import { adminFirestore, nextSecond, signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { addMember, createTeam } from './support/teams.ts';

let network: Network;
let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  network = resources.use(await watchNetwork());
  app = resources.use(await serveApp());
});

const session = (headers: Record<string, string>) => call('GET', `${app.url}/api/auth/session`, { headers });

/** Lets the instance cache the state of a user. It does not before the second of the token is over. */
async function cacheState(headers: Record<string, string>): Promise<void> {
  await nextSecond();
  await session(headers);
}

/** The answer to a request, and the calls that it made. They were all sent before any of them was answered. */
async function inOneHop(count: number, request: () => Promise<Response>) {
  const firestore = together(count);
  const auth: string[] = [];
  const before = { ...network };
  network.firestore = firestore.admit;
  network.auth = (asked) => {
    auth.push(asked);
    return Promise.resolve(true);
  };
  const response = await request();
  Object.assign(network, { firestore: before.firestore, auth: before.auth });
  return {
    body: (await response.json()) as { teams: { name: string }[] },
    firestore: firestore.calls.sort(),
    auth,
  };
}

describe('the session of a member', () => {
  async function member(): Promise<{ owner: Person; cookie: { Cookie: string }; teamId: string }> {
    const owner = await signUp();
    const teamId = await createTeam(app.url, owner);
    const cookie = await startSession(app.url, owner);
    await session(cookie);
    return { owner, cookie, teamId };
  }

  test('needs one round trip to Firestore and no call to Firebase Auth, once an instance knows them', async () => {
    const { cookie } = await member();
    await cacheState(cookie);
    const { body, firestore, auth } = await inOneHop(4, () => session(cookie));
    expect(body.teams).toHaveLength(1);
    expect(firestore).toEqual(['BatchGetDocuments', 'BatchGetDocuments', 'RunQuery', 'RunQuery']);
    expect(auth).toEqual([]);
  });

  test('has a team that they joined since', async () => {
    const { owner, cookie } = await member();
    const other = await signUp();
    await addMember(await createTeam(app.url, other), owner, 'member');
    expect(((await (await session(cookie)).json()) as { teams: object[] }).teams).toHaveLength(2);
  });

  test('has the current name of their team', async () => {
    const { cookie, teamId } = await member();
    await adminFirestore().doc(`teams/${teamId}`).update({ name: 'Renamed' });
    expect(await (await session(cookie)).json()).toMatchObject({ teams: [{ name: 'Renamed' }] });
  });

  test('has no team that they left or that is being deleted', async () => {
    const { owner, cookie, teamId } = await member();
    const second = await createTeam(app.url, owner);
    await session(cookie);
    await adminFirestore().doc(`teams/${teamId}`).update({ deletingSince: new Date() });
    await adminFirestore().doc(`teams/${second}/members/${owner.uid}`).delete();
    expect(await (await session(cookie)).json()).toMatchObject({ teams: [] });
  });
});

describe('a service over its quota', () => {
  test('leads to 503 if it is Firebase Auth, and a user with a cached state continues', async () => {
    const [known, stranger] = await Promise.all([signUp(), signUp()]);
    await cacheState(known.bearer);
    network.auth = () => Promise.resolve(false);
    const [continued, refused] = await Promise.all([session(known.bearer), session(stranger.bearer)]);
    network.auth = () => Promise.resolve(true);
    expect(continued.status).toBe(200);
    expect(await errorOf(refused)).toMatchObject({ status: 503, code: 'auth_unavailable' });
  });

  test('is called again if it is Firestore, because its client repeats the call', async () => {
    const { bearer } = await signUp();
    let calls = 0;
    network.firestore = () => Promise.resolve(++calls > 1);
    expect((await session(bearer)).status).toBe(200);
    network.firestore = () => Promise.resolve(true);
  });
});

test('a test file with a Firestore of its own reaches it through the network', async () => {
  await using firestore = await meterFirestore();
  await using watched = await watchNetwork();
  const calls: string[] = [];
  watched.firestore = (method) => Promise.resolve(calls.push(method) > 0);
  const write = () => adminFirestore().doc('own/document').set({});
  expect(await firestore.measure(write)).toMatchObject({ writes: 1 });
  expect(calls).toEqual(['Commit']);
});
