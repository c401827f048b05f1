import type { Backend } from '../../backend.ts';
import { sweepEach } from '../../common/sweep.ts';
import { collectAsUnclear } from './collect.service.ts';
import { allWaitingBatches, uncollectedReports } from './usage.store.ts';

/** Numbers of documents. */
export interface OpenUsage {
  /** Reports that are in no batch. */
  reports: number;
  /** Batches that are waiting. */
  batches: number;
}

/** Counts the usage from before a time that was not sent. Reads all usage that was not sent. */
export async function countOpenUsage({ db }: Backend, before: Date): Promise<OpenUsage> {
  const open = { reports: 0, batches: 0 };
  for await (const { data } of uncollectedReports(db).streamIntact()) if (data.at < before) open.reports += 1;
  for await (const { data } of allWaitingBatches(db).streamIntact()) if (data.at < before) open.batches += 1;
  return open;
}

/**
 * Closes the usage from before a time that was not sent: it is `unclear`, and is never sent. For a restored backup,
 * because Stripe may have received this usage after the backup. Idempotent.
 *
 * @throws Error if something could not be closed
 */
export async function closeUsage(backend: Backend, before: Date): Promise<void> {
  const { db } = backend;
  let failed = await collectAsUnclear(backend, before);
  let found = 0;
  const closed = await sweepEach(allWaitingBatches(db).streamIntact(), async ({ id, data }) => {
    found += 1;
    if (data.at >= before) return;
    await db.run(async (tx) => {
      const batch = await tx.usageBatches.getIntact(id);
      if (batch?.status !== 'waiting') return;
      tx.usageBatches.update(id, { status: 'unclear', sendAt: null, triedAt: null });
    });
  });
  failed += found - closed;
  if (failed > 0) throw new Error(`${failed} batches of usage could not be closed. Run the command again.`);
}
