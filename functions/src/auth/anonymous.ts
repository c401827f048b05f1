import type { Caller } from './caller.ts';
import { refuse } from '../refusals.ts';

/**
 * Anonymous accounts cost nothing and nobody can be reached through them. What limits count by account, what binds others
 * and what costs money needs an account that its user can come back to. Linking a sign-in method keeps the uid.
 *
 * @throws Refusal 403
 */
export function assertNotAnonymous({ isAnonymous }: Pick<Caller, 'isAnonymous'>): void {
  if (isAnonymous) throw refuse('anonymous_account');
}
