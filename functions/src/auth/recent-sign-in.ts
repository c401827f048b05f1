import { refusal } from '../refusals/refusals.ts';
import type { Caller } from './caller.ts';

/**
 * The same time as in Firebase's own clients.
 * https://firebase.google.com/docs/auth/web/manage-users#re-authenticate_a_user
 */
export const RECENT_SIGN_IN_MS = 5 * 60_000;

/** How long after signing in an operator may read. Changes need a recent sign-in. */
export const OPERATOR_READS_MS = 60 * 60_000;

export function isRecent(signedInAt: Date, now: Date): boolean {
  return now.getTime() - signedInAt.getTime() <= RECENT_SIGN_IN_MS;
}

/**
 * Protects actions that cannot be undone from somebody who finds a device with an old session.
 *
 * @throws Refusal `recent_sign_in_required`: the session stays valid
 */
export function requireRecentSignIn({ signedInAt }: Pick<Caller, 'signedInAt'>, now: Date): void {
  if (!isRecent(signedInAt, now)) {
    throw refusal('recent_sign_in_required');
  }
}

/**
 * Requires an operator who has signed in within an hour, and recently for a change. Other users get the answer of a URL
 * that does not exist.
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
