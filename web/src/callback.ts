import { INVITATION_LINKS } from '@hearth/shared/invitation-links';

export const SIGN_IN = '/auth/sign-in';

/** Links of the backend that only a verified e-mail address may follow. */
const INVITATION_PATHS: ReadonlySet<string> = new Set(Object.values(INVITATION_LINKS));

/**
 * Where the sign-in page may send a person afterwards: the backend's absolute URL, and only on our own origin. Anything
 * else would make the page an open redirect.
 *
 * Parsed as the browser parses it, so that no trick with backslashes, tabs or userinfo reads differently here than
 * there; it returns the parsed URL and never the given text.
 */
export function safeCallback(text: string | null, ownOrigin: string): URL | undefined {
  const url = parsed(text ?? '');
  if (url === undefined) return undefined;
  // The origin of blob: and filesystem: URLs is that of the page which made them.
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  const hasUser = url.username !== '' || url.password !== '';
  return isWeb && !hasUser && url.origin === ownOrigin ? url : undefined;
}

/** `URL.parse` is missing in browsers that the app supports. */
function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

export function isInvitationLink(url: URL | undefined): boolean {
  return url !== undefined && INVITATION_PATHS.has(url.pathname);
}

/** The beginning of the path of a page. A server may decode other spellings to a path of the backend. */
const PAGE_PATH = /^\/(?:$|(?!api(?:\/|$))[a-z0-9_-]+(?:\/|$))/;

/**
 * Whether somebody who is signed in already must confirm a callback. Another site can send a visitor to the sign-in
 * page, and a link of the backend may act, such as begin a checkout. The backend asks for a confirmation if a request
 * comes from another site, but this request comes from our sign-in page. Invitation links do not act for another site.
 */
export function needsConfirmation(url: URL | undefined): boolean {
  return url !== undefined && !isInvitationLink(url) && !PAGE_PATH.test(url.pathname);
}

/** In the URL of the sign-in page: it says that a session has ended. */
export const SESSION_ENDED = 'session-ended';

/** The URL of the sign-in page that leads back to `callback`, an absolute URL. */
export function signInPath(callback: string, message?: typeof SESSION_ENDED): string {
  const query = new URLSearchParams({ callback, ...(message === undefined ? {} : { message }) });
  return `${SIGN_IN}?${query.toString()}`;
}

/** Parameters of the sign-in page that are only for the first time that it is shown. */
const ONCE = ['switch', 'message'];

/**
 * The path of a page that is opened again, after the address was verified or for another account. With `switch`, the
 * sign-in page would ask the new user to sign up once more.
 */
export function pathToReopen({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  if (pathname !== SIGN_IN) return pathname + search;
  const query = new URLSearchParams(search);
  for (const name of ONCE) query.delete(name);
  const left = query.toString();
  return left === '' ? pathname : `${pathname}?${left}`;
}
