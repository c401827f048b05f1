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
 * True if the account no longer has the method that a session signed in with.
 *
 * Anybody can register an address that is not theirs. When the owner of the address signs in with Google, Firebase
 * removes the unverified password, and replaces a Google account that was linked before. Then the session of the first
 * person must end. So the user's id at the provider is compared as well as the provider's name.
 *
 * Accounts do not list custom tokens and passkeys, so their removal cannot be detected. Unknown methods are accepted.
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
