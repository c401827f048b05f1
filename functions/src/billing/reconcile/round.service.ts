import type { Backend } from '../../backend.ts';
import { HOUR_MS } from '../../common/durations.ts';
import type { ReconciliationTask, SubscriptionRange } from '../../task-queues.ts';
import { visitSubscriptions } from './subscriptions.service.ts';
import { Run } from './visit.ts';

/**
 * The most calls to Stripe that a run makes for subscriptions. Each task has the same limit. A page of 100
 * subscriptions takes one call. A repair rarely takes a call.
 */
export const CALLS_FOR_SUBSCRIPTIONS = 50;

/** A task is stopped after 540 seconds. */
const MAX_TASK_MS = 400_000;

/** A round without progress for this time counts as lost: Cloud Tasks has given up one of its tasks. */
const LOST_AFTER_MS = 6 * HOUR_MS;

/** Id of the document in `sweeps`. */
const SWEEP_ID = 'subscriptions';

/** Upper bound of an open-ended range, in seconds since 1970. */
const FAR_FUTURE = Date.UTC(3000) / 1_000;

/** Enqueues tasks that visit the rest of the subscriptions, unless an earlier round is still under way. */
export async function startRound(backend: Backend, rest: SubscriptionRange): Promise<void> {
  const { db } = backend;
  const now = backend.now();
  const round = now.toISOString();
  const parts = halve(rest);
  const isStarted = await db.run(async (tx) => {
    const stored = (await tx.sweeps.getIntact([SWEEP_ID])).get(SWEEP_ID);
    const { unvisited = [], progressAt } = stored ?? {};
    const isLost = progressAt === undefined || now.getTime() - progressAt.getTime() > LOST_AFTER_MS;
    const isUnderWay = unvisited.length > 0 && !isLost;
    if (isUnderWay) return false;
    const { from, to = FAR_FUTURE } = rest;
    tx.sweeps.set(SWEEP_ID, { round, unvisited: [{ from, to }], progressAt: now });
    return true;
  });
  if (isStarted) await enqueue(backend, round, parts);
}

/**
 * Visits a part of a range, and enqueues the rest as two tasks. Idempotent. If a task is repeated, some subscriptions
 * may be visited twice.
 *
 * @throws Refusal `billing_unavailable` or `busy`: Cloud Tasks repeats the task
 */
export async function reconcileRange(
  backend: Backend,
  { round, ...range }: ReconciliationTask,
  maxCalls = CALLS_FOR_SUBSCRIPTIONS,
): Promise<void> {
  const endsAt = backend.now().getTime() + MAX_TASK_MS;
  const isTimeUp = () => backend.now().getTime() >= endsAt;
  const run = new Run({}, { maxCalls, isTimeUp });
  const rest = await visitSubscriptions(backend, range, run);
  if (rest !== undefined) await enqueue(backend, round, halve(rest));
  await recordVisit(backend, round, visitedPart(range, rest));
}

async function enqueue(backend: Backend, round: string, parts: readonly SubscriptionRange[]): Promise<void> {
  for (const part of parts) await backend.enqueueReconciliation({ ...part, round });
}

/** Does nothing if another round has begun. Idempotent. */
async function recordVisit({ db, now }: Backend, round: string, visited: ClosedRange): Promise<void> {
  await db.run(async (tx) => {
    const stored = (await tx.sweeps.getIntact([SWEEP_ID])).get(SWEEP_ID);
    if (stored?.round !== round) return;
    const unvisited = subtract(stored.unvisited ?? [], visited);
    tx.sweeps.set(SWEEP_ID, { round, unvisited, progressAt: now() });
  });
}

/** A range with its two ends, in seconds since 1970. The range is empty if `from` is after `to`. */
interface ClosedRange {
  from: number;
  to: number;
}

/** A task begins with the newest subscription, so the visited part is later than `rest`. */
function visitedPart(range: SubscriptionRange, rest: SubscriptionRange | undefined): ClosedRange {
  const from = rest === undefined ? range.from : (rest.to ?? FAR_FUTURE) + 1;
  return { from, to: range.to ?? FAR_FUTURE };
}

export function subtract(ranges: readonly ClosedRange[], visited: ClosedRange): ClosedRange[] {
  if (visited.from > visited.to) return [...ranges];
  return ranges
    .flatMap(({ from, to }) => [
      { from, to: Math.min(to, visited.from - 1) },
      { from: Math.max(from, visited.to + 1), to },
    ])
    .filter(({ from, to }) => from <= to);
}

/** Splits a range by its time. The newer half continues after the last visited subscription. */
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
