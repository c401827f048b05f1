import { refusal } from '../refusals/refusals.ts';
import type { Caller } from './caller.ts';

/**
 * The same time as in Firebase's own clients.
 * https://firebase.google.com/docs/auth/web/manage-users#re-authenticate_a_user
 */
export const RECENT_SIGN_IN_MS = 5 * 60_000;

/** An operator may read for this long after the sign-in. A change needs a recent sign-in. */
export const OPERATOR_READS_MS = 60 * 60_000;

export function isRecent(signedInAt: Date, now: Date): boolean {
  return now.getTime() - signedInAt.getTime() <= RECENT_SIGN_IN_MS;
}

/**
 * Call this function before an action that cannot be undone. Somebody may have found a device with an old session.
 *
 * @throws Refusal `recent_sign_in_required`: the session stays valid
 */
export function requireRecentSignIn({ signedInAt }: Pick<Caller, 'signedInAt'>, now: Date): void {
  if (!isRecent(signedInAt, now)) {
    throw refusal('recent_sign_in_required');
  }
}

/**
 * Requires an operator whose sign-in is at most an hour old. For a change, the sign-in must be recent. Users who are
 * not operators get the same answer as for a URL that does not exist.
 *
 * @throws Refusal `not_found`, `recent_sign_in_required`
 */
export function requireOperator(
  { isOperator, signedInAt }: Pick<Caller, 'isOperator' | 'signedInAt'>,
  { now, changes }: { now: Date; changes: boolean },
): void {
  if (!isOperator) throw refusal('not_found');
  const age = now.getTime() - signedInAt.getTime();
  if (age > (changes ? RECENT_SIGN_IN_MS : OPERATOR_READS_MS)) throw refusal('recent_sign_in_required');
}
