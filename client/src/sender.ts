import { HearthError } from './error.ts';

/** The user in whose name the tries of one action are sent. Undefined before the first try. */
export interface Sender {
  user?: string;
}

const NOBODY = '';

/**
 * A retry waits for some seconds, and reads the token again. Somebody else may have signed in meanwhile, whose account
 * the retry of a deletion would delete. A new token of the same user changes nothing. A read that began
 * without a user may be repeated with one.
 *
 * @throws HearthError `user_changed`
 */
export function requireSameSender(
  sender: Sender,
  token: string | undefined,
  method: string | undefined,
): void {
  const user = userOf(token);
  const { user: last = user } = sender;
  const hasSignedIn = last === NOBODY && method === 'GET';
  if (user !== last && !hasSignedIn) {
    throw new HearthError('The signed-in user has changed meanwhile. Please try again.', {
      status: 0,
      code: 'user_changed',
    });
  }
  sender.user = user;
}

/** The uid in an ID token, with the user whom an operator impersonates. Anything else stands for itself. */
function userOf(token: string | undefined): string {
  if (token === undefined) return NOBODY;
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    // React Native before 0.74 has no `atob`. There a renewed token counts as another user.
    const { sub, impersonation } = JSON.parse(atob(payload)) as Record<string, unknown>;
    return sub === undefined ? token : JSON.stringify([sub, impersonation]);
  } catch {
    return token;
  }
}
