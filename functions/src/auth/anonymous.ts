import type { Caller } from './caller.ts';
import { refuse } from '../refusals.ts';

/**
 * Refuses anonymous accounts. Anybody can create many of them, so they avoid limits by account, and their users may lose
 * them, so they should not own teams or subscriptions. Linking a sign-in method keeps the uid.
 *
 * @throws Refusal 403
 */
export function requireNotAnonymous({ isAnonymous }: Pick<Caller, 'isAnonymous'>): void {
  if (isAnonymous) throw refuse('anonymous_account');
}
