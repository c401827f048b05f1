import { sessionId } from '../auth/cookies.ts';
import type { Db } from '../firestore/db.ts';

/** Ending a session deletes its document. Reads one document. */
export function sessionExists(db: Db, uid: string, cookie: string): Promise<boolean> {
  return db.sessions(uid).exists(sessionId(cookie));
}
