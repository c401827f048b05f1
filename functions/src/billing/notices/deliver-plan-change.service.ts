import type { Backend } from '../../backend.ts';
import { logFault } from '../../common/log.ts';
import { sweepEach } from '../../common/sweep.ts';
import type { Purge } from '../../personal-data/purge.ts';
import { planChangesOf, undeliveredPlanChanges } from '../plan-change.store.ts';
import { notifyOfPlanEnd } from './notice.service.ts';

/** The trigger should deliver a new change within this time. Later the schedule delivers it. */
const TRIGGER_TIME_MS = 600_000;

/** Maximum number of changes that one run delivers. The next run continues. */
const MAX_CHANGES = 200;

/**
 * Delivers a change of plan to the hook of the app and by mail. If the process dies, the change is delivered again with
 * the same id.
 *
 * @throws the error of the hook: the trigger, and later the schedule, repeats the delivery
 */
export async function deliverPlanChange(backend: Backend, id: string): Promise<void> {
  const change = await backend.db.planChanges.get(id);
  if (change === undefined) return;
  await backend.appHooks.onPlanChanged({ id, ...change });
  await notifyOfPlanEnd(backend, id, change);
  await backend.db.planChanges.delete(id);
}

/**
 * Delivers the changes whose trigger was lost or has given up.
 *
 * @returns the number of changes that were delivered
 */
export async function deliverDuePlanChanges(backend: Backend): Promise<number> {
  const before = new Date(backend.now().getTime() - TRIGGER_TIME_MS);
  const due = await undeliveredPlanChanges(backend.db, before).limit(MAX_CHANGES).findIntact();
  return sweepEach(due, ({ id }) => deliverPlanChange(backend, id));
}

/**
 * Delivers the changes of plan of a deleted account. Deletes each record even if its delivery fails, because the record
 * has the uid of the deleted user.
 */
export const deliverLastPlanChanges: Purge = async (backend, customerId, limit) => {
  const found = await planChangesOf(backend.db, customerId).limit(limit).findPlaces();
  for (const { id } of found) {
    await deliverPlanChange(backend, id).catch((error: unknown) => {
      logFault('A change of plan was not delivered before its account was deleted', { id }, error);
    });
    await backend.db.planChanges.delete(id);
  }
  return found.length;
};
