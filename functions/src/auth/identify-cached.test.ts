import { describe, expect, test } from 'vitest';
import { KINDS, SIGNED_IN_AT } from './testing/google-tokens.ts';
import { ada, ask, ENDINGS, LIFETIME_MS, REFUSED, useGoogle } from './testing/identify.ts';

const { google, startInstance } = useGoogle();

describe('a cached state of a user', () => {
  test('avoids look-ups for requests that only read', async () => {
    google.account = ada();
    const instance = startInstance();
    for (const kind of [...KINDS, ...KINDS]) await ask(instance, kind, 'cached');
    expect(google.lookUps).toBe(1);
  });

  test('is not used for requests that need the current state', async () => {
    google.account = ada();
    const instance = startInstance();
    await ask(instance, 'id-token', 'cached');
    for (const kind of KINDS) await ask(instance, kind, 'current');
    expect(google.lookUps).toBe(3);
  });

  test.each(ENDINGS)('lets a user %s read for 30 seconds, but not change anything', async (_who, after) => {
    google.account = ada();
    const instance = startInstance();
    await ask(instance, 'id-token', 'cached');
    google.account = after;
    const other = startInstance();
    google.time = LIFETIME_MS - 1;
    expect((await ask(instance, 'id-token', 'cached')).uid).toBe('user');
    await expect(ask(other, 'id-token', 'cached')).rejects.toMatchObject(REFUSED);
    await expect(ask(instance, 'id-token', 'current')).rejects.toMatchObject(REFUSED);
    // The answer to the last request replaced the cached state.
    await expect(ask(instance, 'id-token', 'cached')).rejects.toMatchObject(REFUSED);
  });

  test.each(ENDINGS)('is not used after 30 seconds for a user %s', async (_who, after) => {
    google.account = ada();
    const instance = startInstance();
    await ask(instance, 'session-cookie', 'cached');
    google.account = after;
    google.time = LIFETIME_MS;
    await expect(ask(instance, 'session-cookie', 'cached')).rejects.toMatchObject(REFUSED);
  });

  test('is checked with each token: a token from before a revocation is refused', async () => {
    google.account = ada({ validSince: String(SIGNED_IN_AT) });
    const instance = startInstance();
    await ask(instance, 'id-token', 'cached');
    const older = { auth_time: SIGNED_IN_AT - 1 };
    await expect(ask(instance, 'id-token', 'cached', older)).rejects.toMatchObject(REFUSED);
  });

  const byGoogle = { firebase: { sign_in_provider: 'google.com', identities: {} } };

  test('is checked with each token: a token of a removed sign-in method is refused', async () => {
    google.account = ada();
    const instance = startInstance();
    await ask(instance, 'id-token', 'cached');
    await expect(ask(instance, 'id-token', 'cached', byGoogle)).rejects.toMatchObject(REFUSED);
  });

  test('is read again before it refuses a token: the owner of the address may have signed in since', async () => {
    google.account = ada();
    const instance = startInstance();
    await ask(instance, 'id-token', 'cached');
    google.account = ada({ providerUserInfo: [{ providerId: 'google.com', rawId: '1001' }] });
    expect((await ask(instance, 'id-token', 'cached', byGoogle)).uid).toBe('user');
    expect(google.lookUps).toBe(2);
  });

  test('is not used for anonymous users, who may upgrade their account on another device', async () => {
    google.account = ada({ email: undefined, providerUserInfo: [] });
    const instance = startInstance();
    const anonymous = { firebase: { sign_in_provider: 'anonymous', identities: {} } };
    await ask(instance, 'id-token', 'cached', anonymous);
    google.account = ada();
    await expect(ask(instance, 'id-token', 'cached', anonymous)).rejects.toMatchObject(REFUSED);
  });

  test('is not used while the address is unverified: another person may own it', async () => {
    google.account = ada({ emailVerified: false });
    const instance = startInstance();
    await ask(instance, 'id-token', 'cached');
    google.account = ada({ providerUserInfo: [{ providerId: 'google.com', rawId: '1001' }] });
    await expect(ask(instance, 'id-token', 'cached')).rejects.toMatchObject(REFUSED);
  });

  test('is not used for another user', async () => {
    google.account = ada();
    const instance = startInstance();
    await ask(instance, 'id-token', 'cached');
    google.account = ada({ localId: 'eve', email: 'eve@example.com' });
    expect((await ask(instance, 'id-token', 'cached', { sub: 'eve' })).email).toBe('eve@example.com');
  });

  test('is not used for a token that was issued after the look-up, for example after a change of plan', async () => {
    google.account = ada();
    const instance = startInstance();
    expect((await ask(instance, 'id-token', 'cached')).plan).toBeUndefined();
    google.account = ada({ customAttributes: '{"plan":"pro"}' });
    const refreshed = { iat: Math.floor(Date.now() / 1000) + 1 };
    expect((await ask(instance, 'id-token', 'cached', refreshed)).plan).toBe('pro');
  });
});

describe('while Firebase Auth is out of reach', () => {
  const UNAVAILABLE = { status: 503, code: 'auth_unavailable' };

  test('a user with a cached state may read for 30 seconds, and then gets 503', async () => {
    google.account = ada();
    const instance = startInstance();
    await ask(instance, 'session-cookie', 'cached');
    google.isReachable = false;
    google.time = LIFETIME_MS - 1;
    expect((await ask(instance, 'session-cookie', 'cached')).uid).toBe('user');
    google.time = LIFETIME_MS;
    await expect(ask(instance, 'session-cookie', 'cached')).rejects.toMatchObject(UNAVAILABLE);
  });

  test('a request that changes something gets 503, and the cached state stays', async () => {
    google.account = ada();
    const instance = startInstance();
    await ask(instance, 'id-token', 'cached');
    google.isReachable = false;
    await expect(ask(instance, 'id-token', 'current')).rejects.toMatchObject(UNAVAILABLE);
    expect((await ask(instance, 'id-token', 'cached')).uid).toBe('user');
  });

  test('a user without a cached state gets 503', async () => {
    google.isReachable = false;
    await expect(ask(startInstance(), 'id-token', 'cached')).rejects.toMatchObject(UNAVAILABLE);
  });

  test('an ended session is refused although its user has a cached state', async () => {
    google.account = ada();
    const instance = startInstance();
    await ask(instance, 'session-cookie', 'cached');
    google.isReachable = false;
    const after = { ...instance, sessionExists: () => Promise.resolve(false) };
    await expect(ask(after, 'session-cookie', 'cached')).rejects.toMatchObject(REFUSED);
  });

  test('the answer is 503 if Firestore is out of reach', async () => {
    google.account = ada();
    const busy = Object.assign(new Error('busy'), { status: 503 });
    const instance = startInstance({ sessionExists: () => Promise.reject(busy) });
    await expect(ask(instance, 'session-cookie', 'cached')).rejects.toMatchObject({ status: 503 });
  });
});
