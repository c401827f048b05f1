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
 * 1. Somebody registers with a password and an address that belongs to another person.
 * 2. The owner of the address signs in with Google. Firebase removes the unverified password. If a Google account was
 *    linked before, Firebase replaces it.
 * 3. The session of the first person must end. Because the name of the provider may be the same, the user's id at the
 *    provider is compared too.
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
