import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { FieldValue } from 'firebase-admin/firestore';
import { describe, expect, inject, test } from 'vitest';
import { deliverPush } from '../functions/src/push/deliver.service.ts';
import { registerDevice } from '../functions/src/push/device.service.ts';
import { BRAND } from '../shared/src/brand.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { buy, deliver, failPayment } from './support/billing.ts';
import { APP_URL } from './support/config.ts';
import { FCM_FAULTS } from './support/fcm.ts';
import { adminAuth, adminFirestore, nextSecond, signIn, signUp } from './support/people.ts';
import { deviceOf, pushIds, usePush } from './support/push.ts';
import { call } from './support/requests.ts';
import { castOf, createTeam, inviteTo, mailTo } from './support/teams.ts';

const push = usePush();

/** Signs in with a Google account of a verified address, which Firebase Auth adds to the account with this address. */
async function signInWithGoogle(email: string): Promise<{ Authorization: string }> {
  const claims = JSON.stringify({ sub: randomUUID(), email, email_verified: true });
  const method = 'identitytoolkit.googleapis.com/v1/accounts:signInWithIdp';
  const answer = await call('POST', `${inject('stack').urls.auth}/${method}?key=test`, {
    json: {
      postBody: new URLSearchParams({ providerId: 'google.com', id_token: claims }).toString(),
      requestUri: 'http://localhost',
      returnSecureToken: true,
    },
  });
  const { idToken } = (await answer.json()) as { idToken: string };
  return { Authorization: `Bearer ${idToken}` };
}

describe('an invitation', () => {
  test('is sent to every device of the invited person, with the data that the app needs to show it', async () => {
    const [person, stranger] = [await signUp(), await signUp()];
    const devices = [await push.newDevice(person.bearer), await push.newDevice(person.bearer)];
    await push.newDevice(stranger.bearer);
    const { teamId, id } = await push.invited(person);
    const [pushId] = await pushIds();
    await push.deliverAll();
    expect(push.tokensSent()).toEqual(devices.map(({ token }) => token).sort());
    expect(push.fcm.sent[0]).toMatchObject({
      notification: { title: BRAND.name, body: 'Grace invites you to Acme' },
      data: { type: 'invitation', invitationId: id, teamId, url: `${APP_URL}/dashboard` },
      android: { ttl: '86400s', notification: { tag: pushId } },
      apns: { headers: { 'apns-collapse-id': pushId } },
    });
    expect(await pushIds()).toEqual([]);
  });

  test('is sent with its link to a browser if the app has HTTPS', async () => {
    const person = await signUp();
    await push.newDevice(person.bearer);
    await push.invited(person);
    const [pushId = ''] = await pushIds();
    const url = 'https://app.example.com/dashboard';
    await adminFirestore().doc(`pushes/${pushId}`).update({ 'data.url': url });
    await push.deliverAll();
    expect(push.fcm.sent[0]?.webpush).toMatchObject({ fcmOptions: { link: url } });
  });

  test('is sent again when the invitation is resent, and never to a person who has stopped invitation mail', async () => {
    const person = await signUp();
    await push.newDevice(person.bearer);
    const { owner, teamId, id } = await push.invited(person);
    await push.deliverAll();
    const resend = () =>
      call('POST', `${push.app.url}/api/auth/teams/${teamId}/invitations/${id}/resend`, {
        headers: owner.bearer,
      });
    expect((await resend()).status).toBe(200);
    await push.deliverAll();
    expect(push.tokensSent()).toHaveLength(2);
    const text = (await mailTo(person.email)).at(-1)?.text ?? '';
    const [link = ''] = /http\S+unsubscribe\?token=\S+/.exec(text) ?? [];
    await call('POST', link.replace(APP_URL, push.app.url));
    expect((await resend()).status).toBe(200);
    expect(await pushIds()).toEqual([]);
  });

  test('is not sent to an account that has not verified the address, nor to a disabled one', async () => {
    const [impostor, disabled] = [await signUp({ emailVerified: false }), await signUp()];
    await push.newDevice(impostor.bearer);
    await push.newDevice(disabled.bearer);
    await push.invited(impostor);
    await push.invited(disabled);
    await adminAuth().updateUser(disabled.uid, { disabled: true });
    await push.deliverAll();
    expect([push.tokensSent(), await pushIds()]).toEqual([[], []]);
  });

  test('is not sent to a device whose sign-in has ended since, until the app registers it again', async () => {
    const person = await signUp();
    const { token } = await push.newDevice(person.bearer);
    await nextSecond();
    await adminAuth().revokeRefreshTokens(person.uid);
    await push.invited(person);
    await push.deliverAll();
    expect(push.tokensSent()).toEqual([]);
    await nextSecond();
    await push.register((await signIn(person)).bearer, token);
    await push.invited(person);
    await push.deliverAll();
    expect(push.tokensSent()).toEqual([token]);
  });

  test('is not sent to a device that a sign-in has registered after it was ended', async () => {
    const person = await signUp();
    const signedInAt = new Date(Date.now() - 10_000);
    await adminAuth().revokeRefreshTokens(person.uid);
    // A request that was authenticated before the revocation.
    await registerDevice(
      push.app.backend,
      { uid: person.uid, signedInAt, signIn: { signInMethod: 'password', providerUids: [] } },
      { token: 'late', sessionId: null },
    );
    await push.invited(person);
    await push.deliverAll();
    expect(push.tokensSent()).toEqual([]);
  });

  test('is not sent to a device whose sign-in method the account has lost', async () => {
    const person = await signUp();
    const kept = await push.newDevice(person.bearer);
    await push.newDevice(await signInWithGoogle(person.email));
    const earlier = await push.newDevice(person.bearer);
    const method = { signInMethod: FieldValue.delete(), providerUids: FieldValue.delete() };
    await adminFirestore().doc(`devices/${earlier.id}`).update(method);
    await adminAuth().updateUser(person.uid, { providersToUnlink: ['google.com'] });
    await push.invited(person);
    await push.deliverAll();
    // A device that an earlier version has stored names no method.
    expect(push.tokensSent()).toEqual([kept.token, earlier.token].sort());
  });

  test('writes no message if PUSH_MESSAGES is off', async () => {
    await using off = await serveApp();
    const owner = await signUp();
    await inviteTo(off.url, owner, await createTeam(off.url, owner), 'guest@example.com');
    expect(await pushIds()).toEqual([]);
  });
});

describe('a failed payment', () => {
  /** Makes a payment fail, and sends its event a second time. */
  async function fail(at: AppUnderTest, customerId: string): Promise<void> {
    await deliver(at, await failPayment(at, customerId));
  }

  test('is sent once to the user', async () => {
    const person = await signUp();
    const { token } = await push.newDevice(person.bearer);
    await buy(push.app, person, 'pro');
    await fail(push.app, person.uid);
    await push.deliverAll();
    expect(push.fcm.sent).toMatchObject([
      {
        token,
        notification: { body: 'Your payment for Pro has failed' },
        data: { type: 'payment_failed', customerId: person.uid, url: `${APP_URL}/billing` },
      },
    ]);
  });

  test('is sent to a user whom no mail reaches', async () => {
    const person = await signUp({ emailVerified: false });
    const { token } = await push.newDevice(person.bearer);
    await buy(push.app, person, 'pro');
    await fail(push.app, person.uid);
    await push.deliverAll();
    expect([push.tokensSent(), await mailTo(person.email)]).toEqual([[token], []]);
  });

  test('is sent to the owners of a team, even if its mail goes to a billing address or is off', async () => {
    const config = { pushMessages: true, mailPaymentFailed: false };
    await using quiet = await serveApp({ config, backend: { messaging: push.fcm.messaging } });
    for (const at of [push.app, quiet]) {
      const { owner, admin, teamId } = await castOf(at.url);
      const { token } = await push.newDevice(owner.bearer);
      await push.newDevice(admin.bearer);
      await buy(at, owner, `pro?team=${teamId}`);
      const billingEmail = `${randomUUID()}@acme.example`;
      await adminFirestore().doc(`teams/${teamId}`).update({ billingEmail });
      await fail(at, teamId);
      await push.deliverAll();
      expect(push.tokensSent()).toEqual([token]);
      const subjects = (await mailTo(billingEmail)).map(({ subject }) => subject);
      expect(subjects).toEqual(at === push.app ? ['Your payment for Pro has failed'] : []);
      push.fcm.sent.length = 0;
    }
  });
});

test('a failed payment of a team without mail is repeated while one owner has not got it yet', async () => {
  const config = { pushMessages: true, mailPaymentFailed: false };
  await using quiet = await serveApp({ config, backend: { messaging: push.fcm.messaging } });
  const { owner, admin, teamId } = await castOf(quiet.url);
  await adminFirestore().doc(`teams/${teamId}/members/${admin.uid}`).update({ role: 'owner' });
  await buy(quiet, owner, `pro?team=${teamId}`);
  const event = await failPayment(quiet, teamId);
  const written = (await pushIds()).filter((id) => id.startsWith(event.id));
  expect(written).toHaveLength(2);
  // The first message is sent and therefore deleted; the second one waits for its device.
  await adminFirestore().doc(`pushes/${event.id}-0`).delete();
  await deliver(quiet, event);
  expect((await pushIds()).filter((id) => id.startsWith(event.id))).toEqual(written);
});

test('a repeated event mails a user whose address was verified while the message waits', async () => {
  const person = await signUp({ emailVerified: false });
  await buy(push.app, person, 'pro');
  const event = await failPayment(push.app, person.uid);
  expect([(await pushIds()).includes(`${event.id}-0`), await mailTo(person.email)]).toEqual([true, []]);
  await adminAuth().updateUser(person.uid, { emailVerified: true });
  await deliver(push.app, event);
  expect((await mailTo(person.email)).map(({ subject }) => subject)).toEqual([
    'Your payment for Pro has failed',
  ]);
});

describe('a message', () => {
  test.each(['unregistered', 'malformed', 'otherProject'] as const)(
    'removes a device whose token is %s, and reaches the others',
    async (name) => {
      const person = await signUp();
      const [gone, other] = [await push.newDevice(person.bearer), await push.newDevice(person.bearer)];
      push.fcm.faults.set(gone.token, FCM_FAULTS[name]);
      await push.invited(person);
      await push.deliverAll();
      expect(push.tokensSent()).toEqual([other.token]);
      expect([await deviceOf(gone.id), await deviceOf(other.id)]).toEqual([undefined, expect.anything()]);
      expect(await pushIds()).toEqual([]);
    },
  );

  test('that could not be sent is sent again, only to the devices that do not have it', async () => {
    const person = await signUp();
    const [broken, other] = [await push.newDevice(person.bearer), await push.newDevice(person.bearer)];
    push.fcm.faults.set(broken.token, FCM_FAULTS.broken);
    await push.invited(person);
    const error: unknown = await push.deliverAll().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: 'Not all devices could be reached: messaging/internal-error' });
    expect(inspect(error, { depth: 10 })).not.toMatch(/token:|Bearer/);
    expect(push.tokensSent()).toEqual([other.token]);
    push.fcm.faults.clear();
    await push.deliverAll();
    expect(push.tokensSent()).toEqual([broken.token, other.token].sort());
    expect(await pushIds()).toEqual([]);
  });

  test.each([
    ['the function has no role', 'withoutRole'],
    ['the function has no valid credentials', 'withoutCredentials'],
    ['Google does not know the project', 'unknownProject'],
  ] as const)('that is refused because %s is sent again, and the device stays', async (_what, name) => {
    const person = await signUp();
    const { id, token } = await push.newDevice(person.bearer);
    push.fcm.faults.set(token, FCM_FAULTS[name]);
    await push.invited(person);
    await expect(push.deliverAll()).rejects.toThrow('Not all devices could be reached');
    expect([await pushIds(), await deviceOf(id)]).toEqual([[expect.any(String)], expect.anything()]);
    push.fcm.faults.clear();
    await push.deliverAll();
    expect([push.tokensSent(), await pushIds()]).toEqual([[token], []]);
  });

  test('that a repetition cannot send is given up, and the device stays', async () => {
    const person = await signUp();
    const { id, token } = await push.newDevice(person.bearer);
    push.fcm.faults.set(token, FCM_FAULTS.withoutAppleKey);
    await push.invited(person);
    await push.deliverAll();
    expect([await pushIds(), await deviceOf(id)]).toEqual([[], expect.anything()]);
  });

  test('that is older than a day is no longer sent', async () => {
    const person = await signUp();
    await push.newDevice(person.bearer);
    await push.invited(person);
    const tomorrow = { ...push.app.backend, now: () => new Date(Date.now() + 86_401_000) };
    for (const id of await pushIds()) await deliverPush(tomorrow, id);
    expect([push.tokensSent(), await pushIds()]).toEqual([[], []]);
  });
});
