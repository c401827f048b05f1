import { createDb, type Db, type DbOptions } from '../../functions/src/firestore/db.ts';
import type { WaitLimits } from '../../functions/src/firestore/waits.ts';
import { BACKSTOP_MS } from '../../scripts/backstop.ts';

/** No call reaches these limits, however busy the machine is. */
const PATIENT: WaitLimits = { request: BACKSTOP_MS, rateLimit: BACKSTOP_MS, call: BACKSTOP_MS };

/**
 * The unit of work on another Firestore client than the backend's, such as one that fails.
 *
 * @param limits limits that a test wants to reach
 */
export function dbOn(
  loadClient: DbOptions['loadClient'],
  limits: Partial<WaitLimits> = {},
  auditDays = 365,
): Db {
  return createDb({ loadClient, auditDays, waitLimits: { ...PATIENT, ...limits } });
}
