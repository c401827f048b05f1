import type { CookieOptions, Request, RequestHandler, Response } from 'express';
import type { Auth, DecodedIdToken, UserRecord } from 'firebase-admin/auth';
import { hasCode, USER_NOT_FOUND } from '../common/error-code.ts';
import { callerOf, setCaller, type Caller } from './caller.ts';
import { SESSION_COOKIE, readCookie } from './cookies.ts';
import { Refusal, refuse } from '../refusals.ts';
import { requireOwnOrigin, type OwnOrigins } from '../http/origin.ts';
import { profileOf } from '../common/user-profile.ts';

/** Codes that speak of the token or its user; every other one speaks of Firebase Auth being out of reach. */
const TOKEN_FAULTS = [
  'auth/id-token-expired',
  'auth/id-token-revoked',
  'auth/invalid-id-token',
  'auth/invalid-uid',
  'auth/session-cookie-expired',
  'auth/session-cookie-revoked',
  'auth/user-disabled',
  USER_NOT_FOUND,
];

type Refuse = (error: Refusal, request: Request, response: Response) => void;

/** Dependencies of the authentication of all router groups. */
export interface Authentication {
  readonly auth: Auth;
  /** A request that changes something and comes with the cookie must carry one of these as `Origin`. */
  readonly origins: OwnOrigins;
  readonly cookieOptions: CookieOptions;
  /** Whether the session of a cookie exists and was not ended. */
  readonly isSessionOpen: (uid: string, cookie: string) => Promise<boolean>;
  /** Counts one request of a user that writes; throws Refusal 429 over the limit. */
  readonly countWrite: (uid: string) => Promise<void>;
}

interface GroupOptions {
  /** The requests that count as writes: all but GET by default, `all` where GET routes act, `none` for signing out. */
  counted?: 'changes' | 'all' | 'none';
  /** Answers a request without a valid credential. By default the 401 goes to the error handler. */
  refuse?: Refuse;
}

/**
 * Authenticates a router group by `Authorization: Bearer <ID token>` or the session cookie; the header wins. Limits how
 * often a user writes.
 *
 * The browser sends the cookie on its own, so a request that changes something must also come from an origin of our own.
 */
export function authenticate(
  authentication: Authentication,
  { counted = 'changes', refuse }: GroupOptions = {},
): RequestHandler {
  const { cookieOptions, countWrite } = authentication;
  return async (request, response, next) => {
    try {
      setCaller(response, await identify(authentication, request));
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 401) throw error;
      if (isByCookie(request)) response.clearCookie(SESSION_COOKIE, cookieOptions);
      if (refuse === undefined) throw error;
      refuse(error, request, response);
      return;
    }
    const counts = counted === 'all' || (counted === 'changes' && !isSafe(request.method));
    if (counts) await countWrite(callerOf(response).uid);
    next();
  };
}

function isByCookie(request: Request): boolean {
  return request.get('Authorization') === undefined && readCookie(request, SESSION_COOKIE) !== undefined;
}

/** Whether a request says who makes it, rightly or not. */
export function saysWho(request: Request): boolean {
  return bringsToken(request) || readCookie(request, SESSION_COOKIE) !== undefined;
}

/** Whether the caller is known by an ID token: the header wins over the cookie, and no page of another site can send it. */
export function bringsToken(request: Request): boolean {
  return request.get('Authorization') !== undefined;
}

async function identify({ auth, origins, isSessionOpen }: Authentication, request: Request): Promise<Caller> {
  const token = bearerToken(request.get('Authorization'));
  if (token !== undefined) {
    return callerFrom(await verify(auth, () => auth.verifyIdToken(token)));
  }
  const cookie = readCookie(request, SESSION_COOKIE);
  if (cookie === undefined) throw refuse('unauthenticated');
  if (!isSafe(request.method)) requireOwnOrigin(request, origins);
  const decode = () => auth.verifySessionCookie(cookie);
  return callerFrom(await verify(auth, decode, (uid) => isSessionOpen(uid, cookie)));
}

export interface Verified {
  token: DecodedIdToken;
  user: UserRecord;
}

/**
 * Checks a token and looks its user up once. The look-up shows what has changed since the token was made, which is up to
 * two weeks ago for a session cookie: revocation, a disabled account, removed sign-in methods, the verified address.
 *
 * @param isOpen whether the session of a cookie was not ended; asked at the same time as the user
 */
export async function verify(
  auth: Auth,
  decode: () => Promise<DecodedIdToken>,
  isOpen: (uid: string) => Promise<boolean> = () => Promise.resolve(true),
): Promise<Verified> {
  const token = await askAuth(decode);
  const [user, isSessionOpen] = await Promise.all([
    askAuth(() => auth.getUser(token.uid)),
    isOpen(token.uid),
  ]);
  if (
    !isSessionOpen ||
    user.disabled ||
    isRevoked(token.auth_time * 1000, user) ||
    isOfRemovedMethod(signInOf(token), user)
  ) {
    throw refuse('session_ended');
  }
  return { token, user };
}

/** @throws Refusal 401 for a fault of the token or its user, 503 when Firebase Auth does not answer */
async function askAuth<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (isTokenFault(error)) throw refuse('session_invalid', {}, { cause: error });
    throw refuse('auth_unavailable', {}, { cause: error });
  }
}

/** The Admin SDK gives public keys that it cannot fetch the code of a bad token; its text speaks of no token then. */
export function isTokenFault(error: unknown): boolean {
  if (!hasCode(error, 'auth/argument-error')) return hasCode(error, ...TOKEN_FAULTS);
  return error instanceof Error && /Firebase (ID token|session cookie)/.test(error.message);
}

/** Revocation is kept in whole seconds. https://firebase.google.com/docs/auth/admin/manage-sessions */
export function isRevoked(signedInAtMs: number, { tokensValidAfterTime }: UserRecord): boolean {
  return tokensValidAfterTime !== undefined && signedInAtMs < Date.parse(tokensValidAfterTime);
}

/** How a session or token was obtained. */
export interface SignIn {
  /** As Firebase names it, such as `password` or `google.com`. */
  readonly method: string;
  /** Ids of the user at that provider, as they were linked at the sign-in; empty if the token names none. */
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

/** Methods that an account lists while it has them: Firebase names identity providers by domain, `saml.x` or `oidc.x`. */
const LISTED_METHOD = /^(?:password|phone|[^.]+\..+)$/;

/**
 * Whether the account has lost the method by which a session signed in. Somebody may register an address that is not
 * theirs. When the owner of the address signs in with Google, Firebase removes the unverified password, and replaces a
 * Google account that was linked before by the owner's. So the id at the provider counts as well as its name.
 *
 * Custom tokens, passkeys and methods to come are not listed in the account, so nothing is known of their removal.
 */
export function isOfRemovedMethod({ method, providerUids }: SignIn, { providerData }: UserRecord): boolean {
  // The anonymous account was upgraded; the old anonymous session may belong to someone else.
  if (method === 'anonymous') return providerData.length > 0;
  if (!LISTED_METHOD.test(method)) return false;
  return !providerData.some(
    ({ providerId, uid }) =>
      providerId === method && (providerUids.length === 0 || providerUids.includes(uid)),
  );
}

/** The user as the services know them. */
export function callerFrom({ token, user }: Verified): Caller {
  return {
    uid: user.uid,
    email: user.email?.toLowerCase(),
    emailVerified: user.emailVerified,
    phoneNumber: user.phoneNumber,
    ...profileOf(user),
    isAnonymous: token.firebase.sign_in_provider === 'anonymous',
    plan: planClaimOf(user),
    signedInAt: new Date(token.auth_time * 1000),
  };
}

/** What billing keeps in line with the user's subscriptions. */
function planClaimOf({ customClaims }: UserRecord): string | undefined {
  const plan: unknown = customClaims?.['plan'];
  return typeof plan === 'string' ? plan : undefined;
}

function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const match = /^Bearer +(\S+)$/i.exec(header);
  if (match?.[1] === undefined) throw refuse('bearer_token_malformed');
  return match[1];
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
