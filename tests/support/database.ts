import { createDb, type Db, type DbOptions } from '../../functions/src/firestore/db.ts';

/** The unit of work on another Firestore client than the backend's, such as one that fails. */
export function dbOn(open: DbOptions['open']): Db {
  return createDb({ open, auditDays: 365 });
}
