import { afterEach, expect, test, vi } from 'vitest';
import { revokeSignIns } from './revoke.ts';

afterEach(() => vi.useRealTimers());

test.each([0, 1, 999])(
  'sign-ins of the current second are revoked, %s ms after its start',
  async (elapsed) => {
    vi.useFakeTimers({ now: 10_000 + elapsed });
    const revokedAt: [uid: string, second: number][] = [];
    const revokeRefreshTokens = (uid: string) => {
      // Like the Admin SDK. Firebase accepts tokens of this second and later ones.
      revokedAt.push([uid, Math.floor(Date.now() / 1000)]);
      return Promise.resolve();
    };
    const revoked = revokeSignIns({ revokeRefreshTokens }, 'ada');
    await vi.runAllTimersAsync();
    await revoked;
    expect(revokedAt).toEqual([['ada', 11]]);
  },
);
