import type { Backend } from '../../../backend.ts';
import type { ReconciliationTask, SubscriptionRange } from '../../../task-queues.ts';
import { visitSubscriptions } from './subscriptions.service.ts';
import { Run } from '../visit.ts';

/** Calls to Stripe of one task. A page of 100 subscriptions takes one, and repairs rarely take any. */
export const CALLS_PER_RUN = 50;

/** A task is stopped after 540 seconds. */
const MAX_TASK_MS = 400_000;

/** A round without progress for so long counts as lost: Cloud Tasks has given up one of its tasks. */
const LOST_AFTER_MS = 6 * 3_600_000;

/** Id of the document in `sweeps`. */
const SWEEP_ID = 'subscriptions';

/**
 * Has tasks visit the rest of the subscriptions, unless an earlier round is still under way. Many tasks run at the same time,
 * as many as the queue allows.
 */
export async function startRound(backend: Backend, rest: SubscriptionRange): Promise<void> {
  const { db } = backend;
  const now = backend.now();
  const round = now.toISOString();
  const parts = halve(rest);
  const isStarted = await db.run(async (tx) => {
    const stored = (await tx.sweeps.getIntact([SWEEP_ID])).get(SWEEP_ID);
    const { open = 0, progressAt } = stored ?? {};
    const isLost = progressAt === undefined || now.getTime() - progressAt.getTime() > LOST_AFTER_MS;
    if (open > 0 && !isLost) return false;
    tx.sweeps.set(SWEEP_ID, { round, open: parts.length, progressAt: now });
    return true;
  });
  if (isStarted) await enqueue(backend, round, parts);
}

/**
 * The task of a round: visits a part of its range, and enqueues the rest as two tasks. So the number of tasks doubles until
 * the queue is full, however the subscriptions are spread over the years.
 *
 * Idempotent. A repeated task enqueues the same tasks, which Cloud Tasks refuses.
 *
 * @throws Refusal `billing_unavailable`, `busy`: Cloud Tasks repeats the task
 */
export async function reconcileRange(
  backend: Backend,
  { round, ...range }: ReconciliationTask,
  maxCalls = CALLS_PER_RUN,
): Promise<void> {
  const endsAt = backend.now().getTime() + MAX_TASK_MS;
  const isTimeUp = () => backend.now().getTime() >= endsAt;
  const run = new Run({}, { maxCalls, isTimeUp });
  const rest = await visitSubscriptions(backend, range, run);
  const parts = rest === undefined ? [] : halve(rest);
  await enqueue(backend, round, parts);
  await countTasks(backend, round, parts.length - 1);
}

async function enqueue(backend: Backend, round: string, parts: readonly SubscriptionRange[]): Promise<void> {
  for (const part of parts) await backend.enqueueReconciliation({ ...part, round });
}

/** Changes the number of open tasks of a round, unless another round has begun. */
async function countTasks({ db, now }: Backend, round: string, change: number): Promise<void> {
  await db.run(async (tx) => {
    const stored = (await tx.sweeps.getIntact([SWEEP_ID])).get(SWEEP_ID);
    if (stored?.round !== round) return;
    tx.sweeps.set(SWEEP_ID, { round, open: (stored.open ?? 0) + change, progressAt: now() });
  });
}

/** Splits a range by its time. The newer half continues behind the last visited subscription. */
export function halve({ from, to, after }: SubscriptionRange): SubscriptionRange[] {
  const position = after === undefined ? {} : { after };
  if (to === undefined) return [{ from, ...position }];
  if (to <= from) return [{ from, to, ...position }];
  const middle = Math.floor((from + to) / 2);
  return [
    { from: middle + 1, to, ...position },
    { from, to: middle },
  ];
}
