import type { Db, Reads } from '../../firestore/db.ts';
import type { UsageBatch, UsageReport } from '../../firestore/documents/usage.ts';
import type { Query } from '../../firestore/query.ts';
import type { Purge } from '../../personal-data/purge.ts';

export function uncollectedReports(reads: Reads): Query<UsageReport> {
  return reads.usageReports.where('batchId', '==', null);
}

export function dueBatches(reads: Reads, now: Date): Query<UsageBatch> {
  return reads.usageBatches.where('sendAt', '<=', now);
}

/** The batches of all customers that were not sent. */
export function allWaitingBatches(reads: Reads): Query<UsageBatch> {
  return reads.usageBatches.where('status', '==', 'waiting');
}

/** The batches of a customer that were not sent. */
export function waitingBatchesOf(reads: Reads, customerId: string): Query<UsageBatch> {
  return allWaitingBatches(reads).where('customerId', '==', customerId);
}

/** The batches of a customer and meter that were not sent. */
export function waitingBatches(
  reads: Reads,
  { customerId, meter }: Pick<UsageBatch, 'customerId' | 'meter'>,
): Query<UsageBatch> {
  return waitingBatchesOf(reads, customerId).where('meter', '==', meter);
}

/**
 * The units that a customer has used of a meter since a time: the sum of the batches, and of the reports that are in no
 * batch yet. A snapshot reads batches and reports, so that no report is missing or counted twice. Reads one document
 * for each 1,000 batches and reports, at least two.
 */
export async function sumOfUsage(
  db: Db,
  { customerId, meter }: Pick<UsageBatch, 'customerId' | 'meter'>,
  from: Date,
): Promise<number> {
  return db.snapshot(async (reads) => {
    const ofMeter = <Doc extends UsageBatch | UsageReport>(query: Query<Doc>) =>
      query.where('customerId', '==', customerId).where('meter', '==', meter);
    const [sent, waiting] = await Promise.all([
      ofMeter(reads.usageBatches).where('at', '>=', from).sum('value'),
      ofMeter(uncollectedReports(reads)).where('at', '>=', from).sum('value'),
    ]);
    return sent + waiting;
  });
}

/** Purges the usage of a user or team that is being deleted, after `sendUsageOf`. Stripe keeps what it has received. */
export const purgeUsage: Purge = async ({ db }, customerId, limit) => {
  const reports = await db.purge(db.usageReports.where('customerId', '==', customerId), limit);
  return reports === limit ? limit : db.purge(db.usageBatches.where('customerId', '==', customerId), limit);
};
