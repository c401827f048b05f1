import type { Auth, DecodedIdToken, UserRecord } from 'firebase-admin/auth';
import { hasCode, USER_NOT_FOUND } from '../common/error-code.ts';
import { refuse } from '../refusals.ts';
import { callerFrom, type Caller } from './caller.ts';
import type { Credentials } from './credentials.ts';
import { signInOf, usesRemovedMethod } from './sign-in-method.ts';

/**
 * Error codes for a bad token, or for a user who cannot sign in. Every other code means that Firebase Auth is
 * unavailable.
 */
const TOKEN_ERRORS = [
  'auth/id-token-expired',
  'auth/id-token-revoked',
  'auth/invalid-id-token',
  'auth/invalid-uid',
  'auth/session-cookie-expired',
  'auth/session-cookie-revoked',
  'auth/user-disabled',
  USER_NOT_FOUND,
];

/** Dependencies of `identify`. */
export interface Identification {
  readonly auth: Auth;
  /** True if the document of a cookie's session exists. Ending a session deletes the document. */
  readonly sessionExists: (uid: string, cookie: string) => Promise<boolean>;
}

/**
 * Verifies credentials and returns their user.
 *
 * @throws Refusal 401 for bad credentials or an ended session, 503 if Firebase Auth or Firestore is unavailable
 */
export async function identify(
  { auth, sessionExists }: Identification,
  credentials: Credentials,
): Promise<Caller> {
  if (credentials.kind === 'token') {
    return callerFrom(await verify(auth, () => auth.verifyIdToken(credentials.token)));
  }
  const { cookie } = credentials;
  const decode = () => auth.verifySessionCookie(cookie);
  return callerFrom(await verify(auth, decode, (uid) => sessionExists(uid, cookie)));
}

export interface Verified {
  token: DecodedIdToken;
  user: UserRecord;
}

/**
 * Verifies a token and reads its user once. A session cookie can be two weeks old. The user record shows what has changed
 * since: revocation, a disabled account, removed sign-in methods, the verified address.
 *
 * @param sessionExists checks the session of a cookie; runs in parallel with reading the user
 * @throws Refusal 401 for a bad token or an ended session, 503 if Firebase Auth is unavailable
 */
export async function verify(
  auth: Auth,
  decode: () => Promise<DecodedIdToken>,
  sessionExists: (uid: string) => Promise<boolean> = () => Promise.resolve(true),
): Promise<Verified> {
  const token = await askAuth(decode);
  const [user, hasSession] = await Promise.all([
    askAuth(() => auth.getUser(token.uid)),
    sessionExists(token.uid),
  ]);
  if (
    !hasSession ||
    user.disabled ||
    isRevoked(token.auth_time * 1000, user) ||
    usesRemovedMethod(signInOf(token), user)
  ) {
    throw refuse('credentials_ended');
  }
  return { token, user };
}

/**
 * Calls Firebase Auth about a token or its user.
 *
 * @throws Refusal 401 for a bad token or user, 503 if Firebase Auth is unavailable
 */
export async function askAuth<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (isTokenError(error)) throw refuse('credentials_invalid', {}, { cause: error });
    throw refuse('auth_unavailable', {}, { cause: error });
  }
}

/**
 * True for an error about the token or its user. The Admin SDK uses the same code, `auth/argument-error`, for a bad
 * token and for public keys that it cannot fetch. Only the message about a bad token contains `Firebase ID token` or
 * `Firebase session cookie`.
 */
export function isTokenError(error: unknown): boolean {
  if (!hasCode(error, 'auth/argument-error')) return hasCode(error, ...TOKEN_ERRORS);
  return error instanceof Error && /Firebase (ID token|session cookie)/.test(error.message);
}

/** Revocation has a precision of one second. https://firebase.google.com/docs/auth/admin/manage-sessions */
export function isRevoked(signedInAtMs: number, { tokensValidAfterTime }: UserRecord): boolean {
  return tokensValidAfterTime !== undefined && signedInAtMs < Date.parse(tokensValidAfterTime);
}
