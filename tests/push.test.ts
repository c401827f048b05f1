import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliverPush } from '../functions/src/push/deliver.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { buy, deliver, subscriptionOf } from './support/billing.ts';
import { APP_URL } from './support/config.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { FCM_FAULTS, startFcm, type FakeFcm } from './support/fcm.ts';
import {
  adminAuth,
  adminFirestore,
  nextSecond,
  signIn,
  signUp,
  startSession,
  type Person,
} from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { addMember, castOf, createTeam, inviteTo, mailTo, setSeatLimit } from './support/teams.ts';

/** Own Firestore, so that the outbox has the messages of one test. */
let firestore: MeteredFirestore;
let fcm: FakeFcm;
let app: AppUnderTest;
beforeAll(async () => {
  firestore = await meterFirestore();
  fcm = await startFcm();
  app = await serveApp({ config: { pushMessages: true }, backend: { messaging: fcm.messaging } });
});
beforeEach(async () => {
  await deliverAll();
  fcm.sent.length = 0;
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await fcm[Symbol.asyncDispose]();
  await firestore[Symbol.asyncDispose]();
});

type Headers = Record<string, string>;

const DEVICES = '/api/auth/devices';

const register = (headers: Headers, token: string, url = app.url) =>
  call('POST', url + DEVICES, { headers, json: { token } });

/** Registers a device with a new token, and returns both. */
async function newDevice(headers: Headers): Promise<{ id: string; token: string }> {
  const token = `token:${randomUUID()}`;
  const response = await register(headers, token);
  expect(response.status).toBe(200);
  return { id: ((await response.json()) as { id: string }).id, token };
}

const deviceOf = async (id: string) => (await adminFirestore().doc(`devices/${id}`).get()).data();

const pushIds = async () => (await adminFirestore().collection('pushes').get()).docs.map(({ id }) => id);

/** Runs the trigger for each message in the outbox, as Eventarc does. */
async function deliverAll(backend = app.backend): Promise<void> {
  for (const id of await pushIds()) await deliverPush(backend, id);
}

/** Invites a person, which writes one message. */
async function invited(person: Person): Promise<{ owner: Person; teamId: string; id: string }> {
  const owner = await signUp({ displayName: 'Grace' });
  const teamId = await createTeam(app.url, owner);
  const { id } = await inviteTo(app.url, owner, teamId, person.email);
  return { owner, teamId, id };
}

const tokensSent = () => fcm.sent.map(({ token }) => token).sort();

describe('a device', () => {
  test('is registered for its user, and once however often the app starts', async () => {
    const person = await signUp();
    const { id, token } = await newDevice(person.bearer);
    const seenAt = (await deviceOf(id))?.['seenAt'] as { toMillis: () => number };
    expect(await (await register(person.bearer, token)).json()).toEqual({ id });
    const device = await deviceOf(id);
    expect(device).toMatchObject({ uid: person.uid, token, sessionId: null });
    expect((device?.['seenAt'] as typeof seenAt).toMillis()).toBeGreaterThan(seenAt.toMillis());
    expect((device?.['deleteAt'] as typeof seenAt).toMillis() - Date.now()).toBeGreaterThan(269 * 86_400_000);
  });

  test('belongs to the user who registered it last, and only that user can remove it', async () => {
    const [first, second] = [await signUp(), await signUp()];
    const { id, token } = await newDevice(first.bearer);
    await register(second.bearer, token);
    const remove = ({ bearer }: Person) => call('DELETE', `${app.url}${DEVICES}/${id}`, { headers: bearer });
    expect((await remove(first)).status).toBe(204);
    expect(await deviceOf(id)).toMatchObject({ uid: second.uid });
    expect([(await remove(second)).status, (await remove(second)).status]).toEqual([204, 204]);
    expect(await deviceOf(id)).toBeUndefined();
  });

  test('needs a user, a plausible token and the setting PUSH_MESSAGES', async () => {
    const { bearer } = await signUp();
    expect((await register({}, 'token')).status).toBe(401);
    expect((await register(bearer, 'to ken')).status).toBe(400);
    expect((await register(bearer, 'a'.repeat(4001))).status).toBe(400);
    await using off = await serveApp();
    expect(await errorOf(await register(bearer, 'token', off.url))).toMatchObject({ status: 404 });
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
    const { id } = await newDevice(person.bearer);
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
    ...(await startSession(app.url, person)),
    Origin: APP_URL,
  });

  test('last as long as the session', async () => {
    const person = await signUp();
    const { id } = await newDevice(await own(person));
    const sessions = await adminFirestore().collection(`users/${person.uid}/sessions`).get();
    expect((await deviceOf(id))?.['deleteAt']).toEqual(sessions.docs[0]?.get('expiresAt'));
    const inTwoWeeks = { ...app.backend, now: () => new Date(Date.now() + 15 * 86_400_000) };
    await invited(person);
    const [pushId = ''] = await pushIds();
    await adminFirestore().doc(`pushes/${pushId}`).update({ createdAt: inTwoWeeks.now() });
    await deliverPush(inTwoWeeks, pushId);
    expect(tokensSent()).toEqual([]);
  });

  test('are removed when the session ends, and no others', async () => {
    const person = await signUp();
    const first = await own(person);
    await nextSecond();
    const second = await own(await signIn(person));
    const devices = [await newDevice(first), await newDevice(second), await newDevice(person.bearer)];
    const left = () => Promise.all(devices.map(async ({ id }) => (await deviceOf(id)) !== undefined));
    await call('DELETE', `${app.url}/api/auth/session`, { headers: first });
    expect(await left()).toEqual([false, true, true]);
    const sessions = await adminFirestore().collection(`users/${person.uid}/sessions`).get();
    await call('DELETE', `${app.url}/api/auth/sessions/${sessions.docs[0]?.id ?? ''}`, { headers: second });
    expect(await left()).toEqual([false, false, true]);
  });

  test('cannot be registered any more once the session has ended, also while the request is under way', async () => {
    const person = await signUp();
    const headers = await own(person);
    const { db } = app.backend;
    const run: typeof db.run = async (body) => {
      await call('DELETE', `${app.url}/api/auth/session`, { headers });
      return db.run(body);
    };
    const backend = { messaging: fcm.messaging, db: Object.create(db, { run: { value: run } }) as typeof db };
    await using slow = await serveApp({ config: { pushMessages: true }, backend });
    expect((await register(headers, 'late', slow.url)).status).toBe(401);
    const { empty } = await adminFirestore().collection('devices').where('uid', '==', person.uid).get();
    expect(empty).toBe(true);
  });
});

test('signing out everywhere removes all devices of the user', async () => {
  const [person, other] = [await signUp(), await signUp()];
  const [{ id }, stranger] = [await newDevice(person.bearer), await newDevice(other.bearer)];
  const url = `${app.url}/api/auth/session?everywhere=true`;
  expect((await call('DELETE', url, { headers: person.bearer })).status).toBe(204);
  expect([await deviceOf(id), await deviceOf(stranger.id)]).toEqual([undefined, expect.anything()]);
});

test('deleting the account removes its devices, and messages to it and in its name', async () => {
  const person = await signUp();
  const { id } = await newDevice(person.bearer);
  await invited(person);
  const { admin, teamId } = await castOf(app.url);
  await setSeatLimit(teamId, 20);
  await addMember(teamId, person, 'admin');
  await inviteTo(app.url, person, teamId, 'guest@example.com');
  await inviteTo(app.url, admin, teamId, 'other@example.com');
  expect(await pushIds()).toHaveLength(3);
  expect((await call('DELETE', `${app.url}/api/auth/user`, { headers: person.bearer })).status).toBe(204);
  expect([await deviceOf(id), await pushIds()]).toEqual([undefined, [expect.anything()]]);
});

describe('an invitation', () => {
  test('is sent to every device of the invited person, with what the app needs to show it', async () => {
    const [person, stranger] = [await signUp(), await signUp()];
    const devices = [await newDevice(person.bearer), await newDevice(person.bearer)];
    await newDevice(stranger.bearer);
    const { teamId, id } = await invited(person);
    const [pushId] = await pushIds();
    await deliverAll();
    expect(tokensSent()).toEqual(devices.map(({ token }) => token).sort());
    expect(fcm.sent[0]).toMatchObject({
      notification: { title: 'Hearth', body: 'Grace invites you to Acme' },
      data: { type: 'invitation', invitationId: id, teamId, url: `${APP_URL}/dashboard` },
      android: { ttl: '86400s', notification: { tag: pushId } },
      apns: { headers: { 'apns-collapse-id': pushId } },
    });
    expect(await pushIds()).toEqual([]);
  });

  test('is sent with its link to a browser if the app has HTTPS', async () => {
    const person = await signUp();
    await newDevice(person.bearer);
    await invited(person);
    const [pushId = ''] = await pushIds();
    const url = 'https://app.example.com/dashboard';
    await adminFirestore().doc(`pushes/${pushId}`).update({ 'data.url': url });
    await deliverAll();
    expect(fcm.sent[0]?.webpush).toMatchObject({ fcmOptions: { link: url } });
  });

  test('is sent again when it is resent, and not to a person who wants no invitations', async () => {
    const person = await signUp();
    await newDevice(person.bearer);
    const { owner, teamId, id } = await invited(person);
    await deliverAll();
    const resend = () =>
      call('POST', `${app.url}/api/auth/teams/${teamId}/invitations/${id}/resend`, { headers: owner.bearer });
    expect((await resend()).status).toBe(200);
    await deliverAll();
    expect(tokensSent()).toHaveLength(2);
    const text = (await mailTo(person.email)).at(-1)?.text ?? '';
    const [link = ''] = /http\S+unsubscribe\?token=\S+/.exec(text) ?? [];
    await call('POST', link.replace(APP_URL, app.url));
    expect((await resend()).status).toBe(200);
    expect(await pushIds()).toEqual([]);
  });

  test('is not sent to an account that has not verified the address, nor to a disabled one', async () => {
    const [impostor, disabled] = [await signUp({ emailVerified: false }), await signUp()];
    await newDevice(impostor.bearer);
    await newDevice(disabled.bearer);
    await invited(impostor);
    await invited(disabled);
    await adminAuth().updateUser(disabled.uid, { disabled: true });
    await deliverAll();
    expect([tokensSent(), await pushIds()]).toEqual([[], []]);
  });

  test('is not sent to a device whose sign-in has ended since, until the app registers it again', async () => {
    const person = await signUp();
    const { token } = await newDevice(person.bearer);
    await nextSecond();
    await adminAuth().revokeRefreshTokens(person.uid);
    await invited(person);
    await deliverAll();
    expect(tokensSent()).toEqual([]);
    await nextSecond();
    await register((await signIn(person)).bearer, token);
    await invited(person);
    await deliverAll();
    expect(tokensSent()).toEqual([token]);
  });

  test('writes no message if PUSH_MESSAGES is off', async () => {
    await using off = await serveApp();
    const owner = await signUp();
    await inviteTo(off.url, owner, await createTeam(off.url, owner), 'guest@example.com');
    expect(await pushIds()).toEqual([]);
  });
});

describe('a failed payment', () => {
  /** Sends an event about a failed payment, twice. */
  async function fail(at: AppUnderTest, customerId: string): Promise<void> {
    const { id, customer } = await subscriptionOf(at, customerId);
    const object = {
      id: 'in_failed',
      object: 'invoice',
      customer,
      billing_reason: 'subscription_cycle',
      parent: { subscription_details: { subscription: id } },
      amount_due: 1200,
      currency: 'usd',
    };
    const type = 'invoice.payment_failed';
    const event = { id: `evt_${randomUUID()}`, object: 'event', type, data: { object } };
    await deliver(at, event);
    await deliver(at, event);
  }

  test('is sent once to the user', async () => {
    const person = await signUp();
    const { token } = await newDevice(person.bearer);
    await buy(app, person, 'pro');
    await fail(app, person.uid);
    await deliverAll();
    expect(fcm.sent).toMatchObject([
      {
        token,
        notification: { body: 'Your payment for Pro has failed' },
        data: { type: 'payment_failed', customerId: person.uid, url: `${APP_URL}/billing` },
      },
    ]);
  });

  test('is sent to a user whom no mail reaches', async () => {
    const person = await signUp({ emailVerified: false });
    const { token } = await newDevice(person.bearer);
    await buy(app, person, 'pro');
    await fail(app, person.uid);
    await deliverAll();
    expect([tokensSent(), await mailTo(person.email)]).toEqual([[token], []]);
  });

  test('is sent to the owners of a team, even if its mail goes to a billing address or is off', async () => {
    const config = { pushMessages: true, mailPaymentFailed: false };
    await using quiet = await serveApp({ config, backend: { messaging: fcm.messaging } });
    for (const at of [app, quiet]) {
      const { owner, admin, teamId } = await castOf(at.url);
      const { token } = await newDevice(owner.bearer);
      await newDevice(admin.bearer);
      await buy(at, owner, `pro?team=${teamId}`);
      const billingEmail = `${randomUUID()}@acme.example`;
      await adminFirestore().doc(`teams/${teamId}`).update({ billingEmail });
      await fail(at, teamId);
      await deliverAll();
      expect(tokensSent()).toEqual([token]);
      const subjects = (await mailTo(billingEmail)).map(({ subject }) => subject);
      expect(subjects).toEqual(at === app ? ['Your payment for Pro has failed'] : []);
      fcm.sent.length = 0;
    }
  });
});

describe('a message', () => {
  test.each(['unregistered', 'malformed', 'otherProject'] as const)(
    'removes a device whose token is %s, and reaches the others',
    async (name) => {
      const person = await signUp();
      const [gone, other] = [await newDevice(person.bearer), await newDevice(person.bearer)];
      fcm.faults.set(gone.token, FCM_FAULTS[name]);
      await invited(person);
      await deliverAll();
      expect(tokensSent()).toEqual([other.token]);
      expect([await deviceOf(gone.id), await deviceOf(other.id)]).toEqual([undefined, expect.anything()]);
      expect(await pushIds()).toEqual([]);
    },
  );

  test('that could not be sent is sent again, only to the devices that do not have it', async () => {
    const person = await signUp();
    const [broken, other] = [await newDevice(person.bearer), await newDevice(person.bearer)];
    fcm.faults.set(broken.token, FCM_FAULTS.broken);
    await invited(person);
    const error: unknown = await deliverAll().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: 'Not all devices could be reached: messaging/internal-error' });
    expect(inspect(error, { depth: 10 })).not.toMatch(/token:|Bearer/);
    expect(tokensSent()).toEqual([other.token]);
    fcm.faults.clear();
    await deliverAll();
    expect(tokensSent()).toEqual([broken.token, other.token].sort());
    expect(await pushIds()).toEqual([]);
  });

  test('that a repetition cannot send is given up, and the device stays', async () => {
    const person = await signUp();
    const { id, token } = await newDevice(person.bearer);
    fcm.faults.set(token, FCM_FAULTS.withoutAppleKey);
    await invited(person);
    await deliverAll();
    expect([await pushIds(), await deviceOf(id)]).toEqual([[], expect.anything()]);
  });

  test('that is older than a day is not sent any more', async () => {
    const person = await signUp();
    await newDevice(person.bearer);
    await invited(person);
    await deliverAll({ ...app.backend, now: () => new Date(Date.now() + 86_401_000) });
    expect([tokensSent(), await pushIds()]).toEqual([[], []]);
  });
});
