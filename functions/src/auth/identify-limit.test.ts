import { beforeEach, describe, expect, test } from 'vitest';
import type { IdentifyDependencies } from './identify.ts';
import { BY_PASSWORD, SIGNED_IN_AT } from './testing/google-tokens.ts';
import { ada, ask, REFUSED, useGoogle } from './testing/identify.ts';
import { lookUpCounter } from './users/look-up-limit.ts';

const { google, startInstance } = useGoogle();

const POINTS = 3;
/** The look-ups of all accounts together that are not trusted. */
const UNTRUSTED_POINTS = 10;
const OVER = { status: 429, code: 'too_many_requests' };

let sessionReads: number;
let instance: IdentifyDependencies;
beforeEach(() => {
  sessionReads = 0;
  instance = startInstance({
    countLookUp: lookUpCounter(
      {
        perSignIn: { name: 'test', points: POINTS, seconds: 60 },
        allUntrusted: { name: 'untrusted', points: UNTRUSTED_POINTS, seconds: 60 },
      },
      () => google.time,
    ),
    sessionExists: () => {
      sessionReads += 1;
      return Promise.resolve(true);
    },
  });
});

const statusesOf = async (asked: Promise<unknown>[]) =>
  (await Promise.allSettled(asked)).map((result) =>
    result.status === 'fulfilled' ? 200 : (result.reason as { status: number }).status,
  );

describe('over the limit of look-ups', () => {
  test('a request is refused before Firebase Auth is asked and before the session is read', async () => {
    google.account = ada({ emailVerified: false });
    for (let index = 0; index < POINTS; index += 1) await ask(instance, 'session-cookie', 'cached');
    await expect(ask(instance, 'session-cookie', 'cached')).rejects.toMatchObject(OVER);
    await expect(ask(instance, 'id-token', 'current')).rejects.toMatchObject(OVER);
    expect([google.lookUps, sessionReads]).toEqual([POINTS, POINTS]);
  });

  test('no request of a burst passes', async () => {
    google.account = ada();
    const asked = Array.from({ length: 10 }, () => ask(instance, 'id-token', 'current'));
    expect((await statusesOf(asked)).filter((status) => status === 200)).toHaveLength(POINTS);
    expect(google.lookUps).toBe(POINTS);
  });

  test('requests with a cached state are still answered', async () => {
    google.account = ada();
    for (let index = 0; index < POINTS; index += 1) await ask(instance, 'id-token', 'current');
    expect((await ask(instance, 'id-token', 'cached')).uid).toBe('user');
  });

  test('a revoked token causes no more look-ups, and a later sign-in of its user works', async () => {
    google.account = ada({ validSince: String(SIGNED_IN_AT) });
    const revoked = { auth_time: SIGNED_IN_AT - 1 };
    const asked = Array.from({ length: 10 }, () => ask(instance, 'id-token', 'current', revoked));
    expect((await statusesOf(asked)).sort()).toEqual([401, 401, 401, 429, 429, 429, 429, 429, 429, 429]);
    expect((await ask(instance, 'id-token', 'current')).uid).toBe('user');
  });

  test('a token that is not valid does not count for the user whom it names', async () => {
    google.account = ada();
    for (let index = 0; index < 10; index += 1) {
      await expect(ask(instance, 'id-token', 'current', { aud: 'another' })).rejects.toMatchObject(REFUSED);
    }
    expect((await ask(instance, 'id-token', 'current')).uid).toBe('user');
  });

  test('the look-up of an impersonated user counts for the operator', async () => {
    google.account = ada({ customAttributes: '{"admin":true}' });
    const until = Math.floor(Date.now() / 1000) + 600;
    const impersonating = { sub: 'operator', impersonation: { uid: 'user', until } };
    await ask(instance, 'id-token', 'current', impersonating);
    await expect(ask(instance, 'id-token', 'current', impersonating)).rejects.toMatchObject(OVER);
    expect((await ask(instance, 'id-token', 'current')).uid).toBe('user');
  });
});

describe('the look-ups of all accounts that are not trusted are limited together', () => {
  const ANONYMOUS = { firebase: { ...BY_PASSWORD, sign_in_provider: 'anonymous' } };
  const UNVERIFIED = { email: 'eve@example.com', email_verified: false };
  const VERIFIED = { email: 'ada@example.com', email_verified: true };

  /** Two look-ups each by new accounts, more than the limit. Returns how many pass. */
  async function flood(claims: object): Promise<number> {
    const before = google.lookUps;
    for (let index = 0; index < UNTRUSTED_POINTS; index += 1) {
      const changes = { ...claims, sub: `${JSON.stringify(claims).length}-${index}` };
      await statusesOf([0, 1].map(() => ask(instance, 'id-token', 'current', changes)));
    }
    return google.lookUps - before;
  }

  test.each([
    ['anonymous accounts', ANONYMOUS, { email: undefined, emailVerified: false, providerUserInfo: [] }],
    ['accounts with an unverified address', UNVERIFIED, { emailVerified: false }],
  ])('%s delay each other, and no verified user', async (_what, claims, account) => {
    google.account = ada(account);
    expect(await flood(claims)).toBe(UNTRUSTED_POINTS);
    await expect(ask(instance, 'id-token', 'cached', claims)).rejects.toMatchObject(OVER);
    google.account = ada();
    expect((await ask(instance, 'id-token', 'current', VERIFIED)).uid).toBe('user');
    google.time += 60_000;
    expect((await ask(instance, 'id-token', 'current', { ...UNVERIFIED, sub: 'later' })).uid).toBe('user');
  });

  test('a user who has verified the address since the sign-in is trusted after the next look-up', async () => {
    google.account = ada();
    await ask(instance, 'session-cookie', 'current', UNVERIFIED);
    google.account = ada({ emailVerified: false });
    await flood(UNVERIFIED);
    google.account = ada();
    expect((await ask(instance, 'session-cookie', 'current', UNVERIFIED)).uid).toBe('user');
  });

  test.each([
    ['whose address is no longer verified', ada({ emailVerified: false })],
    ['who is deleted', undefined],
    ['who is disabled', ada({ disabled: true })],
  ])('a token of a user %s, but was when it was issued, is trusted once', async (_what, account) => {
    google.account = account;
    const claims = { ...VERIFIED, sub: 'former' };
    await statusesOf([ask(instance, 'id-token', 'current', claims)]);
    google.account = ada({ emailVerified: false });
    await flood(UNVERIFIED);
    await expect(ask(instance, 'id-token', 'current', claims)).rejects.toMatchObject(OVER);
  });

  test('a revoked sign-in does not take the trust of a later one', async () => {
    google.account = ada({ validSince: String(SIGNED_IN_AT) });
    const revoked = { ...VERIFIED, auth_time: SIGNED_IN_AT - 1 };
    await statusesOf([ask(instance, 'id-token', 'current', revoked)]);
    await flood(UNVERIFIED);
    expect((await ask(instance, 'id-token', 'current', VERIFIED)).uid).toBe('user');
  });
});
