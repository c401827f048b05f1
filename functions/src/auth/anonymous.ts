import { refusal } from '../refusals/refusals.ts';
import type { Caller } from './caller.ts';

/**
 * Refuses anonymous accounts. Anybody can create many of them, which would bypass limits for each account. A user who
 * loses the device loses the account, so it should not own a team or a subscription. Linking a sign-in method keeps the
 * uid.
 *
 * @throws Refusal `anonymous_account`
 */
export function requireNotAnonymous({ isAnonymous }: Pick<Caller, 'isAnonymous'>): void {
  if (isAnonymous) throw refusal('anonymous_account');
}
