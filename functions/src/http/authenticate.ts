import type { Request, RequestHandler, Response } from 'express';
import type { Auth, DecodedIdToken, UserRecord } from 'firebase-admin/auth';
import { hasCode, USER_NOT_FOUND } from '../error-code.ts';
import { setCaller, type Caller } from './caller.ts';
import { SESSION_COOKIE, readCookie } from './cookies.ts';
import { HttpError, unauthenticated, unavailable } from './errors.ts';
import { requireOwnOrigin } from './origin.ts';
import { profileOf } from '../user-profile.ts';

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

type Refuse = (error: HttpError, request: Request, response: Response) => void;

/**
 * Authenticates a router group by `Authorization: Bearer <ID token>` or the session cookie; the header wins.
 *
 * A cookie is sent by the browser on its own, so what changes something must also come from our own origin.
 *
 * @param refuse answers a request without a valid token; by default the 401 goes to the error handler
 */
export function authenticate(auth: Auth, ownOrigin: string, refuse?: Refuse): RequestHandler {
  return async (request, response, next) => {
    try {
      setCaller(response, await identify(auth, ownOrigin, request));
    } catch (error) {
      if (refuse === undefined || !(error instanceof HttpError) || error.status !== 401) throw error;
      refuse(error, request, response);
      return;
    }
    next();
  };
}

/** Whether a request says who makes it, rightly or not. */
export function saysWho(request: Request): boolean {
  return bringsToken(request) || readCookie(request, SESSION_COOKIE) !== undefined;
}

/** Whether the caller is known by an ID token: the header wins over the cookie, and no page of another site can send it. */
export function bringsToken(request: Request): boolean {
  return request.get('Authorization') !== undefined;
}

async function identify(auth: Auth, ownOrigin: string, request: Request): Promise<Caller> {
  const token = bearerToken(request.get('Authorization'));
  if (token !== undefined) {
    return callerFrom(await verify(auth, () => auth.verifyIdToken(token)));
  }
  const cookie = readCookie(request, SESSION_COOKIE);
  if (cookie === undefined) throw unauthenticated();
  if (!isSafe(request.method)) requireOwnOrigin(request, ownOrigin);
  return callerFrom(await verify(auth, () => auth.verifySessionCookie(cookie)));
}

export interface Verified {
  token: DecodedIdToken;
  user: UserRecord;
}

/**
 * Checks a token and looks its user up once: that tells of revocation, of a disabled account and whether the e-mail is
 * verified now. A token only tells how things were when it was made, up to two weeks ago for a session cookie.
 */
export async function verify(auth: Auth, decode: () => Promise<DecodedIdToken>): Promise<Verified> {
  try {
    const token = await decode();
    const user = await auth.getUser(token.uid);
    if (
      user.disabled ||
      isRevoked(token.auth_time * 1000, user) ||
      isOfRemovedMethod(token.firebase.sign_in_provider, user)
    ) {
      throw unauthenticated('Your session has ended. Sign in again.');
    }
    return { token, user };
  } catch (error) {
    if (error instanceof HttpError) throw error;
    if (isTokenFault(error)) {
      throw unauthenticated('Your session is not valid. Sign in again.', error);
    }
    throw unavailable('Sign-in is not available right now.', 'auth_unavailable', error);
  }
}

/** The Admin SDK gives public keys that it cannot fetch the code of a bad token; its text speaks of no token then. */
function isTokenFault(error: unknown): boolean {
  if (!hasCode(error, 'auth/argument-error')) return hasCode(error, ...TOKEN_FAULTS);
  return error instanceof Error && /Firebase (ID token|session cookie)/.test(error.message);
}

/** Revocation is kept in whole seconds. https://firebase.google.com/docs/auth/admin/manage-sessions */
export function isRevoked(signedInAtMs: number, { tokensValidAfterTime }: UserRecord): boolean {
  return tokensValidAfterTime !== undefined && signedInAtMs < Date.parse(tokensValidAfterTime);
}

/**
 * Whether the account has lost the method by which this session signed in. When the owner of a mailbox signs in with
 * Google and somebody else had registered the address with a password and never verified it, Firebase drops that
 * password; what was signed in with it must not go on either.
 */
export function isOfRemovedMethod(method: string, user: UserRecord): boolean {
  if (method === 'custom') return false;
  // Nobody's account has become somebody's: whoever had it before may be another.
  if (method === 'anonymous') return user.providerData.length > 0;
  return !user.providerData.some(({ providerId }) => providerId === method);
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
  if (match?.[1] === undefined) throw unauthenticated('The Authorization header is not a bearer token.');
  return match[1];
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
