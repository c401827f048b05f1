import { beforeEach, describe, expect, test } from 'vitest';
import type { IdentifyDependencies } from './identify.ts';
import { SIGNED_IN_AT } from './testing/google-tokens.ts';
import { ada, ask, REFUSED, useGoogle } from './testing/identify.ts';
import { lookUpCounter } from './users/look-up-limit.ts';

const { google, startInstance } = useGoogle();

const POINTS = 3;
const OVER = { status: 429, code: 'too_many_requests' };

let sessionReads: number;
let instance: IdentifyDependencies;
beforeEach(() => {
  sessionReads = 0;
  instance = startInstance({
    countLookUp: lookUpCounter({ name: 'test', points: POINTS, seconds: 60 }, () => google.time),
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
