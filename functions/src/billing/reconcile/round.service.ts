import type { Backend } from '../../backend.ts';
import { HOUR_MS } from '../../common/durations.ts';
import { timerOf } from '../../common/timer.ts';
import type { SweepPosition } from '../../firestore/documents/sweep.ts';
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

/** After this time a round that none of its tasks has visited is enqueued again. */
const IDLE_AFTER_MS = HOUR_MS;

/** Id of the document in `sweeps`. */
const SWEEP_ID = 'subscriptions';

/** Upper bound of an open-ended range, in seconds since 1970. */
const FAR_FUTURE = Date.UTC(3000) / 1_000;

/**
 * Enqueues tasks that visit the rest of the subscriptions, unless an earlier round is still under way. If that round
 * has made no progress at all for an hour, enqueues its tasks again: the process may have died before it enqueued them.
 * Cloud Tasks refuses a task that it still has.
 */
export async function startRound(backend: Backend, rest: SubscriptionRange): Promise<void> {
  const now = backend.now();
  const own = now.toISOString();
  const toEnqueue = await backend.db.run(async (tx) => {
    const stored = await tx.sweeps.getIntact(SWEEP_ID);
    if (stored !== undefined && isUnderWay(stored, now)) {
      const { round = own } = stored;
      // It is our own round if the answer to the first commit was lost.
      const isToEnqueue = round === own || isIdle(stored, now);
      return isToEnqueue ? { round, range: firstRangeOf(stored) ?? rest } : undefined;
    }
    const { from, to = FAR_FUTURE, after } = rest;
    const position = { round: own, unvisited: [{ from, to }], progressAt: now };
    tx.sweeps.set(SWEEP_ID, { ...position, ...(after !== undefined && { after }) });
    return { round: own, range: rest };
  });
  if (toEnqueue !== undefined) await enqueue(backend, toEnqueue.round, halve(toEnqueue.range));
}

function isUnderWay({ unvisited = [], progressAt }: SweepPosition, now: Date): boolean {
  const isLost = progressAt === undefined || now.getTime() - progressAt.getTime() > LOST_AFTER_MS;
  return unvisited.length > 0 && !isLost;
}

/** True if no task of a round has ended since the round began an hour ago. */
function isIdle({ round, progressAt }: SweepPosition, now: Date): boolean {
  const hasStartedOnly = progressAt !== undefined && progressAt.toISOString() === round;
  return hasStartedOnly && now.getTime() - progressAt.getTime() > IDLE_AFTER_MS;
}

/** The range with which a round began, if no task has ended since. */
function firstRangeOf({ unvisited = [], after }: SweepPosition): SubscriptionRange | undefined {
  const [first] = unvisited;
  if (first === undefined) return undefined;
  const { from, to } = first;
  const position = typeof after === 'string' ? { after } : {};
  return { from, ...(to !== FAR_FUTURE && { to }), ...position };
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
  const run = new Run({}, { maxCalls, isTimeUp: timerOf(backend, MAX_TASK_MS) });
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
    const stored = await tx.sweeps.getIntact(SWEEP_ID);
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
