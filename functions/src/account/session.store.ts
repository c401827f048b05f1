import { createHash } from 'node:crypto';
import type { CollectionReference, Firestore, Timestamp } from 'firebase-admin/firestore';
import { collectionOf, type Writable } from '../documents.ts';
import { readPage, type Page, type PageOf } from '../page.ts';
import { removeFound, type RemoveContents } from '../removal.ts';

/**
 * `users/{uid}/sessions/{sessionId}`: a session by cookie, for its user to see. Firebase Auth keeps no list, and can only
 * end all of them at once: nothing is decided by these documents.
 */
export interface OpenSession {
  /** As Firebase names it, such as `password` or `google.com`. */
  signInMethod: string;
  userAgent: string | null;
  signedInAt: Timestamp;
  /** When the cookie ends, and the document with it. */
  expiresAt: Timestamp;
}

export function sessionsOf(firestore: Firestore, uid: string): CollectionReference<OpenSession> {
  return collectionOf<OpenSession>(firestore, `users/${uid}/sessions`);
}

/** Of a session, by its cookie, which is not to be stored itself. */
export function sessionId(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64url').slice(0, 22);
}

export async function saveSession(
  firestore: Firestore,
  uid: string,
  cookie: string,
  session: Writable<OpenSession>,
): Promise<void> {
  await firestore.doc(sessionsOf(firestore, uid).doc(sessionId(cookie)).path).set(session);
}

export async function deleteSession(firestore: Firestore, uid: string, cookie: string): Promise<void> {
  await sessionsOf(firestore, uid).doc(sessionId(cookie)).delete();
}

/** Those whose cookies have not ended, latest expiry first. */
export function readSessions(
  firestore: Firestore,
  uid: string,
  now: Date,
  page: Page,
): Promise<PageOf<{ id: string; session: OpenSession }>> {
  const open = sessionsOf(firestore, uid).where('expiresAt', '>', now);
  return readPage(open, page, { by: 'expiresAt', direction: 'desc' }, (id, session) => ({ id, session }));
}

export const removeSessions: RemoveContents = async (services, uid, most) => {
  const firestore = await services.firestore();
  return removeFound(firestore, sessionsOf(firestore, uid), most);
};
