import { createHash } from 'node:crypto';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import type { Config } from '../settings/config.ts';

/**
 * The only cookie that Firebase Hosting passes on. https://firebase.google.com/docs/hosting/manage-cache#using_cookies
 */
export const SESSION_COOKIE = '__session';

export function readCookie(request: Pick<Request, 'get'>, name: string): string | undefined {
  return parseCookie(request.get('Cookie') ?? '')[name] || undefined;
}

/** `secure` is false on localhost only, because the settings allow HTTP nowhere else. */
export function sessionCookieOptions({ appUrl }: Pick<Config, 'appUrl'>): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', secure: appUrl.startsWith('https:'), path: '/' };
}

/**
 * The most bytes of the name and the value of a cookie together.
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-storage-model
 */
const MAX_COOKIE_BYTES = 4_096;

/** False for a session cookie that browsers drop without an error. */
export function isSmallEnoughForBrowsers(sessionCookie: string): boolean {
  return Buffer.byteLength(SESSION_COOKIE) + Buffer.byteLength(sessionCookie) <= MAX_COOKIE_BYTES;
}

/** @param cookie.maxAge in milliseconds */
export function setSessionCookie(
  response: Response,
  config: Pick<Config, 'appUrl'>,
  cookie: { value: string; maxAge: number },
): void {
  response.cookie(SESSION_COOKIE, cookie.value, { ...sessionCookieOptions(config), maxAge: cookie.maxAge });
}

export function clearSessionCookie(response: Response, config: Pick<Config, 'appUrl'>): void {
  response.clearCookie(SESSION_COOKIE, sessionCookieOptions(config));
}

/** Does nothing if the request has no session cookie. */
export function clearSessionCookieIfSent(
  request: Pick<Request, 'get'>,
  response: Response,
  config: Pick<Config, 'appUrl'>,
): void {
  if (readCookie(request, SESSION_COOKIE) !== undefined) clearSessionCookie(response, config);
}

export const SESSION_ID_PATTERN = /^[\w-]{22}$/;

/** Session id: a hash of the cookie, so that the cookie itself is never stored. */
export function sessionId(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64url').slice(0, 22);
}
