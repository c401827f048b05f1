import type { Token } from './tokens/token.ts';
import type { UserState } from './users/user-states.ts';

export type SignIn = Pick<Token, 'signInMethod' | 'providerUids'>;

/**
 * The sign-in methods in `providerData` of an account: `password`, `phone`, and identity providers, such as
 * `google.com` and `saml.acme`.
 */
const LISTED_METHOD = /^(?:password|phone|[^.]+\..+)$/;

/**
 * True if the account no longer has the method that a session signed in with. Example:
 * 1. Mallory registers with Ada's address and a password, and links a Google account.
 * 2. Ada signs in with Google. Firebase removes the password, and replaces Mallory's Google account by Ada's.
 * 3. Mallory's sessions must end. Both users have signed in by `google.com`. Therefore the ids at Google are compared.
 *
 * A session without ids is compared by the method alone. Passwords have no ids, and an older version stored none.
 *
 * False for custom tokens and passkeys, because `providerData` does not list them, and for unknown methods.
 */
export function usesRemovedMethod(
  { signInMethod: method, providerUids }: SignIn,
  { providerData }: Pick<UserState, 'providerData'>,
): boolean {
  // True once the anonymous account has got a sign-in method. A session from before may belong to somebody else.
  if (method === 'anonymous') return providerData.length > 0;
  if (!LISTED_METHOD.test(method)) return false;
  return !providerData.some(
    ({ providerId, uid }) =>
      providerId === method && (providerUids.length === 0 || providerUids.includes(uid)),
  );
}
