import type { AuthAdmin } from './users/auth-admin.ts';

/**
 * How far our clock may be ahead of that of Firebase Auth. Without this time, the next sign-in of the user could have a
 * time from before the revocation.
 */
const CLOCK_RESERVE_MS = 10;

/**
 * Revokes all tokens and session cookies of a user. Before this, waits until the next second begins: Firebase Auth
 * stores the time of a revocation in whole seconds, and still accepts sign-ins of that second.
 * https://firebase.google.com/docs/auth/admin/manage-sessions
 */
export async function revokeSignIns(
  auth: Pick<AuthAdmin, 'revokeRefreshTokens'>,
  uid: string,
): Promise<void> {
  const untilNextSecond = 1000 - (Date.now() % 1000);
  await new Promise((resolve) => setTimeout(resolve, untilNextSecond + CLOCK_RESERVE_MS));
  await auth.revokeRefreshTokens(uid);
}
