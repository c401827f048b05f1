import pMap from 'p-map';
import type { Backend } from '../../backend.ts';
import { logFault } from '../../common/log.ts';
import { sweepEach } from '../../common/sweep.ts';
import { withTimeLimit } from '../../common/time-limit.ts';
import { planChangesOf, undeliveredPlanChanges } from '../subscriptions/sync/plan-change.store.ts';
import { notifyOfPlanEnd } from './notice.service.ts';

/** The trigger should deliver a new change within this time. Later the schedule delivers it. */
const TRIGGER_TIME_MS = 600_000;

/** Changes that a run has in memory. */
const PAGE_SIZE = 200;

/** After this time a run begins no further delivery. The reconciliation of the same run needs the rest of the time. */
const MAX_RUN_MS = 40_000;

/** A hook without an answer within this time counts as failed. */
const HOOK_MS = 20_000;

/** The same limit while an account is deleted. Usually a request waits for the deletion, 60 seconds at most. */
const LAST_HOOK_MS = 10_000;

/** Hooks that run at the same time while an account is deleted. Few accounts have more undelivered changes. */
const LAST_CONCURRENCY = 25;

/**
 * Delivers a change of plan to the hook of the app and by mail. If the process dies, the change is delivered again with
 * the same id.
 *
 * @throws the error of the hook, or TooLate after `hookMs`: the trigger, and later the schedule, repeats the delivery
 */
export async function deliverPlanChange(backend: Backend, id: string, hookMs = HOOK_MS): Promise<void> {
  const change = await backend.db.planChanges.get(id);
  if (change === undefined) return;
  await withTimeLimit(hookMs, backend.appHooks.onPlanChanged({ id, ...change }));
  await notifyOfPlanEnd(backend, id, change);
  await backend.db.planChanges.delete(id);
}

/**
 * Delivers the changes whose trigger was lost or has given up, the oldest first. A change that fails does not hinder
 * later ones. The next run continues after a hook that takes too long.
 *
 * @returns the number of changes that were delivered
 */
export async function deliverDuePlanChanges(backend: Backend): Promise<number> {
  const start = backend.now().getTime();
  const due = undeliveredPlanChanges(backend.db, new Date(start - TRIGGER_TIME_MS));
  return sweepEach(
    due.streamIntactInOrder(PAGE_SIZE),
    ({ id }) => deliverPlanChange(backend, id),
    () => backend.now().getTime() >= start + MAX_RUN_MS,
  );
}

/**
 * Delivers the changes of plan of a deleted account. Deletes each record even if its delivery fails or takes longer
 * than `hookMs`, because the record has the uid of the deleted user.
 */
export async function deliverLastPlanChanges(
  backend: Backend,
  customerId: string,
  limit: number,
  hookMs = LAST_HOOK_MS,
): Promise<number> {
  const found = await planChangesOf(backend.db, customerId).limit(limit).findPaths();
  const deliverLast = async ({ id }: { id: string }) => {
    await deliverPlanChange(backend, id, hookMs).catch((error: unknown) => {
      logFault('A change of plan was not delivered before its account was deleted', { id }, error);
    });
    await backend.db.planChanges.delete(id);
  };
  await pMap(found, deliverLast, { concurrency: LAST_CONCURRENCY });
  return found.length;
}
