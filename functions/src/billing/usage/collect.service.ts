import { createHash } from 'node:crypto';
import type { Backend } from '../../backend.ts';
import { DAY_MS } from '../../common/durations.ts';
import { sweepEach } from '../../common/sweep.ts';
import type { Db } from '../../firestore/db.ts';
import type { UsageBatch, UsageReport } from '../../firestore/documents/usage.ts';
import type { Found, Query } from '../../firestore/query.ts';
import { runningSubscriptions } from '../subscriptions/subscription.store.ts';
import { uncollectedReports } from './usage.store.ts';

/** Reports of one customer and meter within this time and one billing period are one meter event. */
const WINDOW_MS = 300_000;

/** The most reports that are in memory at the same time. */
const MAX_REPORTS = 5_000;

/** The most reports of one batch. Bounds the writes of the transaction. */
const MAX_OF_BATCH = 400;

/** How long a batch is kept: longer than the longest billing period, because the usage of a period is their sum. */
const KEPT_MS = 400 * DAY_MS;

type UnsentStatus = Extract<UsageBatch['status'], 'waiting' | 'unclear'>;

/**
 * Collects the reports that are in no batch yet. Idempotent: each report gets into exactly one batch, even if two runs
 * overlap. Reads each report twice and writes it once. Reads as `startsOfPeriods` for each group of reports.
 *
 * @param isOver asked before each batch; if it returns true, the next run collects the rest
 */
export async function collectReports(backend: Backend, isOver: () => boolean): Promise<void> {
  await collectFound(backend, uncollectedReports(backend.db), isOver);
}

/** Like `collectReports`, for one customer. @returns false if reports are left */
export async function collectReportsOf(backend: Backend, customerId: string): Promise<boolean> {
  const ofCustomer = uncollectedReports(backend.db).where('customerId', '==', customerId);
  return collectFound(backend, ofCustomer, () => false);
}

/** @returns false if reports are left */
async function collectFound(
  backend: Backend,
  uncollected: Query<UsageReport>,
  isOver: () => boolean,
): Promise<boolean> {
  let found: Found<UsageReport>[];
  do {
    found = await uncollected.limit(MAX_REPORTS).findIntact();
    const groups = groupsOf(found).map((reports) => ({ path: reports[0]?.path ?? '', reports }));
    const collected = await sweepEach(groups, ({ reports }) => collectGroup(backend, reports), isOver);
    // The next query would find the failed reports again.
    if (collected < groups.length) return false;
  } while (found.length === MAX_REPORTS);
  return true;
}

/**
 * Collects the reports from before a time in batches that are never sent: Stripe may have them. For a restored backup.
 *
 * @returns the number of reports that could not be collected
 */
export async function collectAsUnclear(backend: Backend, before: Date): Promise<number> {
  const reports: Found<UsageReport>[] = [];
  for await (const report of uncollectedReports(backend.db).streamIntact()) {
    if (report.data.at < before) reports.push(report);
  }
  const groups = groupsOf(reports).map((group) => ({ path: group[0]?.path ?? '', group }));
  const collected = await sweepEach(groups, ({ group }) => collectGroup(backend, group, 'unclear'));
  return groups.length - collected;
}

/** Groups the reports by customer, meter and window, in lists that fit into one transaction. */
function groupsOf(found: readonly Found<UsageReport>[]): Found<UsageReport>[][] {
  const groups = Map.groupBy(found, ({ data: { customerId, meter, at } }) =>
    JSON.stringify([customerId, meter, Math.floor(at.getTime() / WINDOW_MS)]),
  );
  return [...groups.values()].flatMap((reports) => {
    const starts = Array.from(
      { length: Math.ceil(reports.length / MAX_OF_BATCH) },
      (_, index) => index * MAX_OF_BATCH,
    );
    return starts.map((start) => reports.slice(start, start + MAX_OF_BATCH));
  });
}

/** Collects reports of one customer and meter, in one batch for each billing period. */
async function collectGroup(
  backend: Backend,
  reports: readonly Found<UsageReport>[],
  status: UnsentStatus = 'waiting',
): Promise<void> {
  const starts = await startsOfPeriods(backend.db, reports);
  const ofPeriods = Map.groupBy(reports, ({ data: { at } }) => starts.filter((start) => start <= at).length);
  for (const ofPeriod of ofPeriods.values()) await collect(backend, ofPeriod, status);
}

/**
 * The times at which a billing period of the customer begins. A batch has the time of its first report, and Stripe
 * bills it with the period of this time. Usage from before the first period is never billed. Therefore no batch may
 * have reports of two periods.
 *
 * Reads one document for each running subscription, at least one. Reads nothing for a single report.
 */
async function startsOfPeriods(db: Db, reports: readonly Found<UsageReport>[]): Promise<Date[]> {
  const [first] = reports;
  if (first === undefined || reports.length === 1) return [];
  const running = await runningSubscriptions(db, first.data.customerId).findIntact();
  // Our copy may not know the next period yet. It begins at the end of the period that the copy has.
  return running
    .flatMap(({ data }) => [data.created, data.current_period_start, data.current_period_end])
    .filter((start) => start !== null);
}

/**
 * Makes a batch of reports of one customer and meter. Leaves out reports that were deleted, or that another run has
 * collected.
 */
async function collect(
  { db, now }: Backend,
  found: readonly Found<UsageReport>[],
  status: UnsentStatus,
): Promise<void> {
  await db.run(async (tx) => {
    const current = await tx.usageReports.getAllIntact(found.map(({ id }) => id));
    const reports = [...current].filter(([, { batchId }]) => batchId === null);
    const [first] = reports.toSorted(
      ([idA, a], [idB, b]) => a.at.getTime() - b.at.getTime() || (idA < idB ? -1 : 1),
    );
    if (first === undefined) return;
    const [firstId, { customerId, meter, at }] = first;
    const batchId = batchIdOf(firstId, at);
    tx.usageBatches.create(batchId, {
      customerId,
      meter,
      value: reports.reduce((sum, [, { value }]) => sum + value, 0),
      at,
      status,
      sendAt: status === 'waiting' ? now() : null,
      triedAt: null,
      deleteAt: new Date(at.getTime() + KEPT_MS),
    });
    for (const [id] of reports) tx.usageReports.update(id, { batchId });
  });
}

/**
 * The id of a batch, from its first report. It is the same if the batch is made once more after a backup was restored,
 * so that Stripe refuses it for a day. The time is part of it, because the id of a report repeats after 35 days.
 */
function batchIdOf(firstReportId: string, at: Date): string {
  return createHash('sha256')
    .update(JSON.stringify([firstReportId, at.toISOString()]))
    .digest('base64url');
}
