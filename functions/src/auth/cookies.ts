import type { CookieOptions, Request } from 'express';
import { parseCookie } from 'cookie';
import type { Config } from '../settings/config.ts';

/** The only cookie that Firebase Hosting passes on. https://firebase.google.com/docs/hosting/manage-cache#using_cookies */
export const SESSION_COOKIE = '__session';

export function readCookie(request: Request, name: string): string | undefined {
  return parseCookie(request.get('Cookie') ?? '')[name] || undefined;
}

/** Secure wherever the app is served by https, which config allows it not to be on localhost only. */
export function sessionCookieOptions(config: Config): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', secure: config.appUrl.startsWith('https:'), path: '/' };
}
