import type { AuthAdmin } from './users/auth-admin.ts';

/** An upper bound for the difference between our clock and that of Firebase Auth. */
const CLOCK_SKEW_MS = 10;

/**
 * Revokes all tokens of a user, and all cookies that were made from them. Firebase Auth stores the time of a revocation
 * in whole seconds and still accepts tokens from that second. So this waits for the next second first.
 * https://firebase.google.com/docs/auth/admin/manage-sessions
 */
export async function revokeSignIns(
  auth: Pick<AuthAdmin, 'revokeRefreshTokens'>,
  uid: string,
): Promise<void> {
  const untilNextSecond = 1000 - (Date.now() % 1000);
  await new Promise((resolve) => setTimeout(resolve, untilNextSecond + CLOCK_SKEW_MS));
  await auth.revokeRefreshTokens(uid);
}
