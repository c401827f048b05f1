import type { Caller } from './caller.ts';
import { forbidden } from '../http/errors.ts';

/**
 * Anonymous accounts cost nothing and nobody can be reached through them. What limits count by account, what binds others
 * and what costs money needs an account that its user can come back to. Linking a sign-in method keeps the uid.
 *
 * @throws HttpError 403
 */
export function assertNotAnonymous({ isAnonymous }: Pick<Caller, 'isAnonymous'>): void {
  if (isAnonymous)
    throw forbidden('Create an account first: you are signed in anonymously.', 'anonymous_account');
}
