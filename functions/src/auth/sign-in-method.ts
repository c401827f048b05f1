import type { Token } from './tokens/token.ts';
import type { UserState } from './users/user-state.ts';

/** How a session or token was obtained. */
export type SignIn = Pick<Token, 'signInMethod' | 'providerUids'>;

/**
 * Matches the sign-in methods that Firebase lists in `providerData` of an account: `password`, `phone`, and identity
 * providers, whose names contain a dot, such as `google.com`, `saml.acme` and `oidc.acme`.
 */
const LISTED_METHOD = /^(?:password|phone|[^.]+\..+)$/;

/**
 * True if the account no longer has the method that a session signed in with. Example:
 * 1. Mallory registers with a password and Ada's address, and perhaps links a Google account.
 * 2. Ada signs in with Google. Firebase removes the unverified password, and replaces Mallory's Google account by that
 *    of Ada.
 * 3. Mallory's sessions must end. A session by Mallory's Google account has the same method `google.com` as Ada's
 *    session. Therefore the user's id at the provider is compared too.
 *
 * Accounts do not list custom tokens and passkeys, so the removal of these methods cannot be detected. Unknown methods
 * are accepted.
 */
export function usesRemovedMethod(
  { signInMethod: method, providerUids }: SignIn,
  { providerData }: Pick<UserState, 'providerData'>,
): boolean {
  // The anonymous account was upgraded; the old anonymous session may belong to someone else.
  if (method === 'anonymous') return providerData.length > 0;
  if (!LISTED_METHOD.test(method)) return false;
  return !providerData.some(
    ({ providerId, uid }) =>
      providerId === method && (providerUids.length === 0 || providerUids.includes(uid)),
  );
}
