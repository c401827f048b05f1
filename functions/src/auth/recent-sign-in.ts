import type { Caller } from './caller.ts';
import { refuse } from '../refusals.ts';

/** As Firebase's own clients ask for it. https://firebase.google.com/docs/auth/web/manage-users#re-authenticate_a_user */
export const RECENT_SIGN_IN_MS = 5 * 60_000;

export function isRecent(signedInAt: Date, now: Date): boolean {
  return now.getTime() - signedInAt.getTime() <= RECENT_SIGN_IN_MS;
}

/**
 * For what cannot be undone: a session left open on a borrowed device is not enough.
 *
 * @throws Refusal 403 `recent_sign_in_required`; not 401, for the session itself is good
 */
export function assertRecentSignIn({ signedInAt }: Pick<Caller, 'signedInAt'>, now: Date): void {
  if (!isRecent(signedInAt, now)) {
    throw refuse('recent_sign_in_required');
  }
}
