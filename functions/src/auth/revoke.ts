import type { AuthAdmin } from './users/auth-admin.ts';

/**
 * How far our clock may be ahead of that of Firebase Auth. Without this time, the next sign-in of the user could have a
 * time from before the revocation.
 */
const CLOCK_RESERVE_MS = 10;

/** How far our clock may be behind that of Firebase Auth. Bounds the wait. */
const MAX_CLOCK_LAG_MS = 5_000;

/**
 * Revokes all tokens and session cookies of a user. Firebase Auth stores the time of a revocation in whole seconds, and
 * still accepts sign-ins of that second. The Admin SDK takes the time from our clock. Therefore this function first
 * waits until our clock shows a later second than now, and than that of the user's last sign-in, whose time is from the
 * clock of Firebase Auth. A sign-in after the revocation has the second of the revocation or a later one, so it stays.
 * https://firebase.google.com/docs/auth/admin/manage-sessions
 */
export async function revokeSignIns(
  auth: Pick<AuthAdmin, 'getUser' | 'revokeRefreshTokens'>,
  uid: string,
): Promise<void> {
  const { metadata } = await auth.getUser(uid);
  const now = Date.now();
  // An account of the Admin SDK may have no sign-in.
  const lastSignIn = Date.parse(metadata.lastSignInTime) || 0;
  const latest = Math.min(Math.max(now, lastSignIn), now + MAX_CLOCK_LAG_MS);
  const wait = nextSecondAfter(latest) - now + CLOCK_RESERVE_MS;
  await new Promise((resolve) => setTimeout(resolve, wait));
  await auth.revokeRefreshTokens(uid);
}

function nextSecondAfter(time: number): number {
  return (Math.floor(time / 1000) + 1) * 1000;
}
