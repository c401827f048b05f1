import type { CollectionReference, Firestore, Timestamp } from 'firebase-admin/firestore';
import { collectionOf, type Writable } from '../firestore/documents.ts';
import { hasCode, NOT_FOUND } from '../common/error-code.ts';
import { readPageLegacy, type Page, type PageOf } from '../firestore/page.ts';
import { removeFound, type Purge } from '../personal-data/removal.ts';
import { sessionId } from './session-id.ts';

/**
 * `users/{uid}/sessions/{sessionId}`: a session by cookie. A cookie without its document is refused, because Firebase Auth
 * can only end all sessions of a user at once.
 */
export interface OpenSession {
  /** As Firebase names it, such as `password` or `google.com`. */
  signInMethod: string;
  /** Ids of the user at that provider; missing in sessions of an older version. */
  providerUids?: string[];
  userAgent: string | null;
  signedInAt: Timestamp;
  /** When the cookie expires, by the clock of Firebase Auth. The TTL policy removes the document after that. */
  expiresAt: Timestamp;
}

export function sessionsOf(firestore: Firestore, uid: string): CollectionReference<OpenSession> {
  return collectionOf<OpenSession>(firestore, `users/${uid}/sessions`);
}

export async function saveSession(
  firestore: Firestore,
  uid: string,
  cookie: string,
  session: Writable<OpenSession>,
): Promise<void> {
  await firestore.doc(sessionsOf(firestore, uid).doc(sessionId(cookie)).path).set(session);
}

/** Whether a session was not ended. Reads one document. */
export async function hasSession(firestore: Firestore, uid: string, cookie: string): Promise<boolean> {
  return (await sessionsOf(firestore, uid).doc(sessionId(cookie)).get()).exists;
}

/** @returns false if the user has no such session */
export async function deleteSession(firestore: Firestore, uid: string, id: string): Promise<boolean> {
  try {
    await sessionsOf(firestore, uid).doc(id).delete({ exists: true });
    return true;
  } catch (error) {
    if (hasCode(error, NOT_FOUND)) return false;
    throw error;
  }
}

/** Those whose cookies have not ended, latest expiry first. */
export function readSessions(
  firestore: Firestore,
  uid: string,
  now: Date,
  page: Page,
): Promise<PageOf<{ id: string; session: OpenSession }>> {
  const open = sessionsOf(firestore, uid).where('expiresAt', '>', now);
  return readPageLegacy(open, page, { by: 'expiresAt', direction: 'desc' }, (id, session) => ({
    id,
    session,
  }));
}

export const removeSessions: Purge = async (backend, uid, most) => {
  const firestore = await backend.firestore();
  return removeFound(firestore, sessionsOf(firestore, uid), most);
};
