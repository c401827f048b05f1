import { refusal } from '../refusals/refusals.ts';
import type { Caller } from './caller.ts';

/**
 * Refuses anonymous accounts, for two reasons:
 * - Anybody can create many anonymous accounts, and so bypass the limits per account.
 * - A user who loses the device loses the anonymous account, so the account should not own a team or a subscription.
 *
 * A user who links a sign-in method keeps the uid.
 *
 * @throws Refusal `anonymous_account`
 */
export function requireNotAnonymous({ isAnonymous }: Pick<Caller, 'isAnonymous'>): void {
  if (isAnonymous) throw refusal('anonymous_account');
}
