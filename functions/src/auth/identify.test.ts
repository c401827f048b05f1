import { describe, expect, test } from 'vitest';
import type { StateFreshness } from './identify.ts';
import { googleToken, KINDS, SIGNED_IN_AT } from './testing/google-tokens.ts';
import { ada, ask, ENDINGS, REFUSED, useGoogle } from './testing/identify.ts';

const { google, startInstance, check } = useGoogle();

describe.each(KINDS)('%s', (kind) => {
  test('is accepted from an active user', async () => {
    google.account = ada();
    expect((await check(kind)).email).toBe('ada@example.com');
  });

  test('from the second of a revocation is accepted, because Firebase counts in seconds', async () => {
    google.account = ada({ validSince: String(SIGNED_IN_AT) });
    expect((await check(kind)).uid).toBe('user');
  });

  test.each(ENDINGS)('is refused from a user %s', async (_who, found) => {
    google.account = found;
    await expect(check(kind)).rejects.toMatchObject(REFUSED);
  });

  test('for another project is refused before Firebase Auth is asked', async () => {
    google.account = ada();
    await expect(check(kind, { aud: 'another' })).rejects.toMatchObject(REFUSED);
    expect(google.lookUps).toBe(0);
  });

  test('gets 503 while Firebase Auth is out of reach', async () => {
    google.isReachable = false;
    await expect(check(kind)).rejects.toMatchObject({ status: 503, code: 'auth_unavailable' });
  });
});

describe('a session cookie of an ended session', () => {
  const ended = () => startInstance({ sessionExists: () => Promise.resolve(false) });

  test.each<StateFreshness>(['cached', 'current'])(
    'is refused with a %s state of the user',
    async (freshness) => {
      google.account = ada();
      await expect(ask(ended(), 'session-cookie', freshness)).rejects.toMatchObject(REFUSED);
    },
  );

  test('is refused although the state of its user is cached', async () => {
    google.account = ada();
    const instance = startInstance();
    await ask(instance, 'session-cookie', 'cached');
    const after = { ...instance, sessionExists: () => Promise.resolve(false) };
    await expect(ask(after, 'session-cookie', 'cached')).rejects.toMatchObject(REFUSED);
  });

  test('is looked up by uid and cookie; an ID token is not looked up', async () => {
    google.account = ada();
    const asked: string[][] = [];
    const instance = startInstance({
      sessionExists: (...parameters) => {
        asked.push(parameters);
        return Promise.resolve(true);
      },
    });
    await ask(instance, 'id-token', 'cached');
    await ask(instance, 'session-cookie', 'cached');
    expect(asked).toEqual([['user', googleToken('session-cookie')]]);
  });
});
