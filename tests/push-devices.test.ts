import { describe, expect, test } from 'vitest';
import { createHearthClient } from '../client/src/index.ts';
import { deliverPush } from '../functions/src/push/deliver.service.ts';
import { serveApp } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import {
  adminAuth,
  adminFirestore,
  nextSecond,
  signIn,
  signUp,
  startSession,
  type Person,
} from './support/people.ts';
import { deviceOf, DEVICES, pushIds, usePush, type Headers } from './support/push.ts';
import { call, errorOf } from './support/requests.ts';
import { addMember, castOf, inviteTo, setSeatLimit } from './support/teams.ts';

const push = usePush();

describe('a device', () => {
  test('is registered for its user, and once however often the app starts', async () => {
    const person = await signUp();
    const { id, token } = await push.newDevice(person.bearer);
    const seenAt = (await deviceOf(id))?.['seenAt'] as { toMillis: () => number };
    expect(await (await push.register(person.bearer, token)).json()).toEqual({ id });
    const device = await deviceOf(id);
    expect(device).toMatchObject({ uid: person.uid, token, sessionId: null });
    expect((device?.['seenAt'] as typeof seenAt).toMillis()).toBeGreaterThan(seenAt.toMillis());
    expect((device?.['deleteAt'] as typeof seenAt).toMillis() - Date.now()).toBeGreaterThan(269 * 86_400_000);
  });

  test('belongs to the user who registered it last, and only that user can remove it', async () => {
    const [first, second] = [await signUp(), await signUp()];
    const { id, token } = await push.newDevice(first.bearer);
    await push.register(second.bearer, token);
    const remove = ({ bearer }: Person) =>
      call('DELETE', `${push.app.url}${DEVICES}/${id}`, { headers: bearer });
    expect((await remove(first)).status).toBe(204);
    expect(await deviceOf(id)).toMatchObject({ uid: second.uid });
    expect([(await remove(second)).status, (await remove(second)).status]).toEqual([204, 204]);
    expect(await deviceOf(id)).toBeUndefined();
  });

  test('is registered and removed by the typed client', async () => {
    const { uid, idToken } = await signUp();
    const { devices } = createHearthClient({
      baseUrl: push.app.url,
      idToken: () => Promise.resolve(idToken),
    });
    const id = await devices.register('token:typed');
    expect(await deviceOf(id)).toMatchObject({ uid, token: 'token:typed' });
    await devices.remove(id);
    expect(await deviceOf(id)).toBeUndefined();
  });

  test('needs a user, a plausible token and the setting PUSH_MESSAGES', async () => {
    const { bearer } = await signUp();
    expect((await push.register({}, 'token')).status).toBe(401);
    expect((await push.register(bearer, 'to ken')).status).toBe(400);
    expect((await push.register(bearer, 'a'.repeat(4001))).status).toBe(400);
    await using off = await serveApp();
    expect(await errorOf(await push.register(bearer, 'token', off.url))).toMatchObject({ status: 404 });
  });

  test('replaces the one that was seen least recently if the user has 50', async () => {
    const person = await signUp();
    const batch = adminFirestore().batch();
    for (let index = 0; index < 50; index++) {
      const seenAt = new Date(Date.now() - 1_000_000 + index);
      const device = { uid: person.uid, token: `${index}`, sessionId: null, seenAt, deleteAt: new Date() };
      batch.set(adminFirestore().doc(`devices/${person.uid}-${index}`), device);
    }
    await batch.commit();
    const { id } = await push.newDevice(person.bearer);
    const left = await adminFirestore().collection('devices').where('uid', '==', person.uid).get();
    expect(left.size).toBe(50);
    expect([
      await deviceOf(`${person.uid}-0`),
      await deviceOf(`${person.uid}-1`),
      await deviceOf(id),
    ]).toEqual([undefined, expect.anything(), expect.anything()]);
  });
});

describe('the devices of a session by cookie', () => {
  const own = async (person: Person): Promise<Headers> => ({
    ...(await startSession(push.app.url, person)),
    Origin: APP_URL,
  });

  test('last as long as the session', async () => {
    const person = await signUp();
    const { id } = await push.newDevice(await own(person));
    const sessions = await adminFirestore().collection(`users/${person.uid}/sessions`).get();
    expect((await deviceOf(id))?.['deleteAt']).toEqual(sessions.docs[0]?.get('expiresAt'));
    const inTwoWeeks = { ...push.app.backend, now: () => new Date(Date.now() + 15 * 86_400_000) };
    await push.invited(person);
    const [pushId = ''] = await pushIds();
    await adminFirestore().doc(`pushes/${pushId}`).update({ createdAt: inTwoWeeks.now() });
    await deliverPush(inTwoWeeks, pushId);
    expect(push.tokensSent()).toEqual([]);
  });

  test('are removed when the session ends, and no others', async () => {
    const person = await signUp();
    const first = await own(person);
    await nextSecond();
    const second = await own(await signIn(person));
    const devices = [
      await push.newDevice(first),
      await push.newDevice(second),
      await push.newDevice(person.bearer),
    ];
    const left = () => Promise.all(devices.map(async ({ id }) => (await deviceOf(id)) !== undefined));
    await call('DELETE', `${push.app.url}/api/auth/session`, { headers: first });
    expect(await left()).toEqual([false, true, true]);
    const sessions = await adminFirestore().collection(`users/${person.uid}/sessions`).get();
    await call('DELETE', `${push.app.url}/api/auth/sessions/${sessions.docs[0]?.id ?? ''}`, {
      headers: second,
    });
    expect(await left()).toEqual([false, false, true]);
  });

  test('get messages while the session is open, and none after an operator has deleted its document', async () => {
    const person = await signUp();
    const { token } = await push.newDevice(await own(person));
    await push.invited(person);
    await push.deliverAll();
    expect(push.tokensSent()).toEqual([token]);
    const sessions = adminFirestore().collection(`users/${person.uid}/sessions`);
    await adminFirestore().recursiveDelete(sessions);
    await push.invited(person);
    await push.deliverAll();
    expect(push.tokensSent()).toEqual([token]);
  });

  test('cannot be registered any more once the session has ended, also while the request is under way', async () => {
    const person = await signUp();
    const headers = await own(person);
    const { db } = push.app.backend;
    const run: typeof db.run = async (body) => {
      await call('DELETE', `${push.app.url}/api/auth/session`, { headers });
      return db.run(body);
    };
    const backend = {
      messaging: push.fcm.messaging,
      db: Object.create(db, { run: { value: run } }) as typeof db,
    };
    await using slow = await serveApp({ config: { pushMessages: true }, backend });
    expect((await push.register(headers, 'late', slow.url)).status).toBe(401);
    const { empty } = await adminFirestore().collection('devices').where('uid', '==', person.uid).get();
    expect(empty).toBe(true);
  });
});

describe('signing out everywhere', () => {
  const signOutEverywhere = async (person: Person, url = push.app.url) => {
    const response = await call('DELETE', `${url}/api/auth/session?everywhere=true`, {
      headers: person.bearer,
    });
    expect(response.status).toBe(204);
  };

  test('removes all devices of the user, also damaged ones and those that an earlier version stored', async () => {
    const [person, other] = [await signUp(), await signUp()];
    const [device, stranger] = [await push.newDevice(person.bearer), await push.newDevice(other.bearer)];
    const seenAt = new Date(Date.now() - 1000);
    const earlier = { uid: person.uid, token: 'earlier', sessionId: null, seenAt, deleteAt: new Date() };
    await adminFirestore().doc(`devices/${person.uid}-earlier`).set(earlier);
    await adminFirestore().doc(`devices/${person.uid}-damaged`).set({ uid: person.uid });
    await signOutEverywhere(person);
    const left = await adminFirestore().collection('devices').where('uid', '==', person.uid).get();
    expect([left.size, await deviceOf(device.id), await deviceOf(stranger.id)]).toEqual([
      0,
      undefined,
      expect.anything(),
    ]);
  });

  test('leaves the device of a sign-in from afterwards', async () => {
    const person = await signUp();
    const before = await push.newDevice(person.bearer);
    const kept = await push.newDevice(person.bearer);
    const auth = adminAuth();
    const revokeRefreshTokens = async (uid: string) => {
      await auth.revokeRefreshTokens(uid);
      await push.register((await signIn(person)).bearer, kept.token);
    };
    const get = (target: typeof auth, name: string | symbol) =>
      name === 'revokeRefreshTokens' ? revokeRefreshTokens : (Reflect.get(target, name) as unknown);
    const backend = { messaging: push.fcm.messaging, auth: new Proxy(auth, { get }) };
    await using slow = await serveApp({ config: { pushMessages: true }, backend });
    await signOutEverywhere(person, slow.url);
    expect([await deviceOf(before.id), await deviceOf(kept.id)]).toEqual([undefined, expect.anything()]);
  });
});

test('deleting the account removes its devices, and messages to it and in its name', async () => {
  const person = await signUp();
  const { id } = await push.newDevice(person.bearer);
  await push.invited(person);
  const { admin, teamId } = await castOf(push.app.url);
  await setSeatLimit(teamId, 20);
  await addMember(teamId, person, 'admin');
  await inviteTo(push.app.url, person, teamId, 'guest@example.com');
  await inviteTo(push.app.url, admin, teamId, 'other@example.com');
  expect(await pushIds()).toHaveLength(3);
  expect((await call('DELETE', `${push.app.url}/api/auth/user`, { headers: person.bearer })).status).toBe(
    204,
  );
  expect([await deviceOf(id), await pushIds()]).toEqual([undefined, [expect.anything()]]);
});
