import { beforeEach, describe, expect, test } from 'vitest';
import { refusal } from '../../refusals/refusals.ts';
import { type UserState, type UserStates, createUserStates } from './user-states.ts';

const LIFETIME_MS = 30_000;
const ISSUED_AT = new Date('2026-01-01T00:00:00Z');
/** Ten seconds after the token was issued. */
const NOW = ISSUED_AT.getTime() + 10_000;

interface LookUp {
  uid: string;
  answer: (state: Partial<UserState>) => void;
  fail: (error: Error) => void;
}

/** The monotonic clock. */
let time: number;
/** The wall clock. */
let now: number;
/** The look-ups at Firebase Auth, which the tests answer. */
let lookUps: LookUp[];
let userStates: UserStates;
beforeEach(() => {
  time = 0;
  now = NOW;
  lookUps = [];
  userStates = start();
});

const start = (lifetimeMs = LIFETIME_MS) =>
  createUserStates({
    ask: (uid) =>
      new Promise((resolve, reject) => {
        lookUps.push({
          uid,
          answer: (state) => {
            resolve({ uid, ...state } as UserState);
          },
          fail: reject,
        });
      }),
    lifetimeMs,
    clock: () => time,
    now: () => now,
  });

const ENABLED = { disabled: false };
const DISABLED = { disabled: true };

const cached = (uid = 'ada', issuedAt = ISSUED_AT, text?: string) =>
  userStates.cachedOrCurrent(uid, {
    tokenIssuedAt: issuedAt,
    ...(text !== undefined && { tokenText: text }),
  });
const current = () => userStates.current('ada', { tokenIssuedAt: ISSUED_AT });

/** Caches a state of Ada. */
async function cache(state: Partial<UserState>, issuedAt = ISSUED_AT): Promise<void> {
  const asked = userStates.current('ada', { tokenIssuedAt: issuedAt });
  lookUps.at(-1)?.answer(state);
  await asked;
}

test('concurrent requests of one user share one look-up', async () => {
  const asked = [cached(), cached(), cached('eve')];
  lookUps.forEach(({ answer }) => {
    answer(ENABLED);
  });
  expect((await Promise.all(asked)).map(({ uid }) => uid)).toEqual(['ada', 'ada', 'eve']);
  expect(lookUps.map(({ uid }) => uid)).toEqual(['ada', 'eve']);
});

test('a request that needs the current state does not share a look-up that began before it', async () => {
  void cached();
  const asked = current();
  lookUps[0]?.answer(ENABLED);
  lookUps[1]?.answer(DISABLED);
  expect(await asked).toMatchObject(DISABLED);
});

test('the age of a state counts from the beginning of its look-up, not from the answer', async () => {
  const asked = cached();
  time = LIFETIME_MS - 1;
  lookUps[0]?.answer(ENABLED);
  await asked;
  expect(await cached()).toMatchObject(ENABLED);
  time = LIFETIME_MS;
  void cached();
  expect(lookUps).toHaveLength(2);
});

test('using a state does not extend its life', async () => {
  await cache(ENABLED);
  for (time of [10_000, 20_000, 29_999]) await cached();
  time = LIFETIME_MS;
  void cached();
  expect(lookUps).toHaveLength(2);
});

describe('an answer that arrives late', () => {
  test('does not replace the answer of a later look-up', async () => {
    const early = cached();
    const late = current();
    lookUps[1]?.answer(DISABLED);
    await late;
    lookUps[0]?.answer(ENABLED);
    await early;
    expect(await cached()).toMatchObject(DISABLED);
  });

  test('is not cached while a later look-up is under way', async () => {
    const early = cached();
    void current();
    lookUps[0]?.answer(ENABLED);
    await early;
    const asked = cached();
    lookUps[1]?.answer(DISABLED);
    expect(await asked).toMatchObject(DISABLED);
  });

  test('is not cached after the user was changed', async () => {
    const early = cached();
    userStates.evict('ada');
    lookUps[0]?.answer(ENABLED);
    await early;
    void cached();
    expect(lookUps).toHaveLength(2);
  });
});

test('a cached state is not used after this instance has changed the user', async () => {
  await cache(ENABLED);
  userStates.evict('ada');
  void cached();
  expect(lookUps).toHaveLength(2);
});

describe('a look-up that fails', () => {
  test('is not cached', async () => {
    const failed = cached();
    lookUps[0]?.fail(refusal('auth_unavailable'));
    await expect(failed).rejects.toMatchObject({ status: 503 });
    const again = cached();
    lookUps[1]?.answer(ENABLED);
    expect(await again).toMatchObject(ENABLED);
  });

  test('leaves the cached state if Firebase Auth does not answer', async () => {
    await cache(ENABLED);
    const failed = current();
    lookUps[1]?.fail(refusal('auth_unavailable'));
    await expect(failed).rejects.toMatchObject({ status: 503 });
    expect(await cached()).toMatchObject(ENABLED);
  });

  test('removes the cached state of a deleted user', async () => {
    await cache(ENABLED);
    const failed = current();
    lookUps[1]?.fail(refusal('credentials_invalid'));
    await expect(failed).rejects.toMatchObject({ status: 401 });
    void cached();
    expect(lookUps).toHaveLength(3);
  });
});

describe('a token that was issued after the state was read', () => {
  test('causes another look-up', async () => {
    await cache(ENABLED);
    void cached('ada', new Date(NOW + 1_000));
    expect(lookUps).toHaveLength(2);
  });

  test('does not share a look-up that began before the token was issued', () => {
    void cached();
    void cached('ada', new Date(NOW + 1_000));
    expect(lookUps).toHaveLength(2);
  });

  test('causes another look-up even in the same second, because token times are whole seconds', async () => {
    await cache(ENABLED);
    void cached('ada', new Date(NOW));
    expect(lookUps).toHaveLength(2);
  });

  test('causes a look-up even if an earlier token of the same second has caused one', async () => {
    now = NOW + 200;
    const earlier = cached('ada', new Date(NOW), 'of .1 seconds');
    lookUps[0]?.answer(ENABLED);
    await earlier;
    const later = cached('ada', new Date(NOW), 'of .9 seconds');
    lookUps[1]?.answer(DISABLED);
    expect(await later).toMatchObject(DISABLED);
  });

  test('does not share a look-up of an earlier token of the same second', () => {
    now = NOW + 200;
    void cached('ada', new Date(NOW), 'of .1 seconds');
    void cached('ada', new Date(NOW), 'of .9 seconds');
    expect(lookUps).toHaveLength(2);
  });

  test('causes one look-up for its concurrent requests, even if one of them needs the current state', () => {
    now = NOW + 200;
    void userStates.current('ada', { tokenIssuedAt: new Date(NOW), tokenText: 'token' });
    for (let count = 0; count < 3; count++) void cached('ada', new Date(NOW), 'token');
    expect(lookUps).toHaveLength(1);
  });

  test('causes one look-up for all its later requests once its second is over', async () => {
    const ask = async () => {
      const asked = cached('ada', new Date(NOW), 'token');
      lookUps.at(-1)?.answer(ENABLED);
      await asked;
    };
    for (now of [NOW + 900, NOW + 999]) await ask();
    expect(lookUps).toHaveLength(2);
    for (now of [NOW + 1_000, NOW + 1_001, NOW + 20_000]) await ask();
    expect(lookUps).toHaveLength(3);
  });

  test('is recognized by the clock of Google if our clock is behind', async () => {
    await cache(ENABLED, new Date(NOW + 60_000));
    await cached('ada', new Date(NOW + 59_000));
    expect(lookUps).toHaveLength(1);
    void cached('ada', new Date(NOW + 60_000));
    expect(lookUps).toHaveLength(2);
  });
});

test('a user with an unverified address is always looked up', async () => {
  await cache({ email: 'ada@example.com', emailVerified: false });
  const asked = cached();
  expect(lookUps).toHaveLength(2);
  lookUps[1]?.answer({ email: 'ada@example.com', emailVerified: true });
  await asked;
  await cached();
  expect(lookUps).toHaveLength(2);
});

test('the cached state of a user is removed when their address is no longer verified', async () => {
  await cache({ email: 'ada@example.com', emailVerified: true });
  await cache({ email: 'eve@example.com', emailVerified: false });
  void cached();
  expect(lookUps).toHaveLength(3);
});

test('with a lifetime of 0 every request asks Firebase Auth', async () => {
  userStates = start(0);
  void cached();
  void cached();
  await cache(ENABLED);
  void cached();
  expect(lookUps).toHaveLength(4);
});

test('the memory is bounded: the least recently used state is dropped', async () => {
  const ask = async (uid: string) => {
    const asked = cached(uid);
    lookUps.at(-1)?.answer(ENABLED);
    await asked;
  };
  for (let index = 0; index <= 5_000; index += 1) await ask(`user-${index}`);
  expect(lookUps).toHaveLength(5_001);
  await ask('user-1');
  expect(lookUps).toHaveLength(5_001);
  void cached('user-0');
  expect(lookUps).toHaveLength(5_002);
});
