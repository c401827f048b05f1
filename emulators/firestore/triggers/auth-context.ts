import type { Caller } from '../authentication.ts';

/**
 * The attributes that name the author of a change. An administrator is a service account; a signed-in end user has no
 * type of its own: https://firebase.google.com/docs/functions/firestore-events#event-attributes
 */
export function authContext(author: Caller, project: string): Record<string, string> {
  if (author.kind === 'admin') {
    return { authtype: 'service_account', authid: `firebase-adminsdk@${project}.iam.gserviceaccount.com` };
  }
  if (author.token === undefined) return { authtype: 'unauthenticated' };
  return { authtype: 'unknown', ...userId(author.token) };
}

/** From the payload of an ID token, which the emulators leave unsigned. */
function userId(token: string): { authid: string } | undefined {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const { sub } = JSON.parse(payload) as { sub?: unknown };
    return typeof sub === 'string' ? { authid: sub } : undefined;
  } catch {
    return undefined;
  }
}
