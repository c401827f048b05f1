import type { UserRecord } from 'firebase-admin/auth';
import { afterEach, expect, test, vi } from 'vitest';
import { revokeSignIns } from './revoke.ts';

afterEach(() => vi.useRealTimers());

const LONGEST_WAIT_MS = 10_000;

/** Revokes the sign-ins of a user. Returns the second that Firebase Auth stores, as the Admin SDK sends it. */
async function revokedSecond({ now, lastSignIn }: { now: number; lastSignIn?: number }): Promise<number> {
  // Only what the function uses: an interval of another module would run without end.
  vi.useFakeTimers({ now, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  const seconds: number[] = [];
  const lastSignInTime = lastSignIn === undefined ? null : new Date(lastSignIn).toUTCString();
  const revoked = revokeSignIns(
    {
      getUser: () => Promise.resolve({ metadata: { lastSignInTime } } as unknown as UserRecord),
      revokeRefreshTokens: () => {
        seconds.push(Math.floor(Date.now() / 1000));
        return Promise.resolve();
      },
    },
    'ada',
  );
  await vi.advanceTimersByTimeAsync(LONGEST_WAIT_MS);
  await revoked;
  expect(seconds).toHaveLength(1);
  return seconds[0] ?? 0;
}

test.each([0, 1, 999])(
  'sign-ins of the current second are revoked, %s ms after its start',
  async (elapsed) => {
    expect(await revokedSecond({ now: 10_000 + elapsed })).toBe(11);
    expect(await revokedSecond({ now: 10_000 + elapsed, lastSignIn: 5_000 })).toBe(11);
  },
);

test('a sign-in whose time is later by our clock is revoked, because our clock may be behind', async () => {
  expect(await revokedSecond({ now: 10_900, lastSignIn: 11_020 })).toBe(12);
  expect(await revokedSecond({ now: 10_000, lastSignIn: 13_999 })).toBe(14);
});

test('a revocation waits for a clock that is far behind no longer than six seconds', async () => {
  expect(await revokedSecond({ now: 10_000, lastSignIn: 70_000 })).toBe(16);
});
