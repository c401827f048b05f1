import type { DecodedIdToken, UserRecord } from 'firebase-admin/auth';

/** How a session or token was obtained. */
export interface SignIn {
  /** Firebase's name of the method, such as `password` or `google.com`. */
  readonly method: string;
  /** Ids of the user at that provider when they signed in; empty if the token names none. */
  readonly providerUids: readonly string[];
}

/** https://firebase.google.com/docs/reference/admin/node/firebase-admin.auth.decodedidtoken#decodedidtokenfirebase */
export function signInOf({ firebase }: DecodedIdToken): SignIn {
  const { sign_in_provider: method, identities } = firebase as {
    sign_in_provider: string;
    identities?: Record<string, unknown>;
  };
  const uids = identities?.[method];
  return { method, providerUids: Array.isArray(uids) ? uids.map(String) : [] };
}

/**
 * Sign-in methods that `providerData` of an account lists. Firebase names identity providers by domain, `saml.x` or `oidc.x`.
 */
const LISTED_METHOD = /^(?:password|phone|[^.]+\..+)$/;

/**
 * True if the account no longer has the method that a session signed in with.
 *
 * Anybody can register an address that is not theirs. When the owner of the address signs in with Google, Firebase removes
 * the unverified password, and replaces a Google account that was linked before. Then the session of the first person must
 * end. So the user's id at the provider is compared as well as the provider's name.
 *
 * Accounts do not list custom tokens and passkeys, so their removal cannot be detected. Unknown methods are accepted.
 */
export function usesRemovedMethod({ method, providerUids }: SignIn, { providerData }: UserRecord): boolean {
  // The anonymous account was upgraded; the old anonymous session may belong to someone else.
  if (method === 'anonymous') return providerData.length > 0;
  if (!LISTED_METHOD.test(method)) return false;
  return !providerData.some(
    ({ providerId, uid }) =>
      providerId === method && (providerUids.length === 0 || providerUids.includes(uid)),
  );
}
