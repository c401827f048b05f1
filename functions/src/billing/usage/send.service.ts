import type { Backend } from '../../backend.ts';
import { HOUR_MS } from '../../common/durations.ts';
import { sweepEach } from '../../common/sweep.ts';
import type { UsageBatch } from '../../firestore/documents/usage.ts';
import type { Found } from '../../firestore/query.ts';
import { Refusal, refusal } from '../../refusals/refusals.ts';
import { collectReports, collectReportsOf } from './collect.service.ts';
import { logLost, sendBatch } from './send-batch.service.ts';
import { dueBatches, waitingBatches, waitingBatchesOf } from './usage.store.ts';

/** The function is stopped after 540 seconds. */
const MAX_RUN_MS = 400_000;

/** The most batches that are in memory at the same time. */
const MAX_BATCHES = 1_000;

/** Customers and meters whose batches are sent at the same time: about 55 calls to Stripe a second, of 100 allowed. */
const CONCURRENCY = 15;

/**
 * Sends recorded usage to Stripe: collects reports in batches and sends each batch as one meter event. Idempotent: the
 * event has the id of the batch as its identifier. Therefore Stripe counts a batch once, even if the process dies after
 * Stripe has received it.
 *
 * If a customer has no Stripe customer, or a deleted one, the batch waits until there is one or the batch is too old. A
 * failure is logged, and the next run tries again.
 *
 * Many batches without a Stripe customer do not delay the others: the pause before the next attempt grows with their
 * age, and a run takes all due batches.
 */
export async function sendUsage(backend: Backend): Promise<void> {
  const { config, db, now } = backend;
  if (config.extras.meters.length === 0) return;
  const endsAt = now().getTime() + MAX_RUN_MS;
  const isOver = () => now().getTime() >= endsAt;
  await collectReports(backend, isOver);
  let due: Found<UsageBatch>[];
  do {
    due = await dueBatches(db, now()).limit(MAX_BATCHES).findIntact();
    // Stripe accepts one call at a time for a customer and meter.
    const groups = Map.groupBy(due, ({ data }) => JSON.stringify([data.customerId, data.meter]));
    const sequences = [...groups.values()].map((batches) => ({ path: batches[0]?.path ?? '', batches }));
    const handled = await sweepEach(
      sequences,
      ({ batches }) => sendSequence(backend, batches, isOver),
      isOver,
      CONCURRENCY,
    );
    // The next query would find the failed batches again.
    if (handled < sequences.length) return;
  } while (due.length === MAX_BATCHES);
}

/**
 * Sends the usage of a customer before a change after which Stripe would not bill it, such as a deletion. Also sends
 * batches that wait for a later attempt. Idempotent. A batch that another run is sending may be sent twice: Stripe
 * refuses its identifier the second time.
 *
 * A batch that Stripe rejects is logged, and stays. Without meters reads nothing.
 *
 * @returns the slugs of the meters that have usage which was not sent
 * @throws Refusal `billing_unavailable`: a repeated call sends the rest; `busy`: the same
 */
export async function sendUsageOf(backend: Backend, customerId: string): Promise<ReadonlySet<string>> {
  const { config, db } = backend;
  if (config.extras.meters.length === 0) return new Set();
  if (!(await collectReportsOf(backend, customerId))) throw refusal('busy');
  let isAllSent = true;
  for (const { id, data } of await waitingBatchesOf(db, customerId).findIntact()) {
    try {
      if (await sendBatch(backend, id, { isDueNow: true })) continue;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      logLost(id, data, error);
    }
    isAllSent = false;
  }
  if (isAllSent) return new Set();
  // Another run may have sent a batch, and one that is too old is closed.
  const waiting = await waitingBatchesOf(db, customerId).findIntact();
  return new Set(waiting.map(({ data }) => data.meter));
}

/** Sends batches of one customer and meter, one after the other. If one was sent, the others stop waiting. */
async function sendSequence(
  backend: Backend,
  batches: readonly Found<UsageBatch>[],
  isOver: () => boolean,
): Promise<void> {
  let sent: UsageBatch | undefined;
  for (const { id, data } of batches) {
    if (isOver()) return;
    if (await sendBatch(backend, id)) sent = data;
  }
  if (sent !== undefined) await endPauses(backend, sent);
}

/**
 * Makes the batches of a customer and meter due that were waiting for a Stripe customer, because now there is one. A
 * batch that is being sent, or that Stripe has refused, has a shorter pause and keeps it. Reads the waiting batches, at
 * least one document.
 */
async function endPauses({ db, now }: Backend, { customerId, meter }: UsageBatch): Promise<void> {
  const at = now();
  const isPaused = ({ status, sendAt }: UsageBatch) =>
    status === 'waiting' && sendAt !== null && sendAt.getTime() - at.getTime() > HOUR_MS;
  const waiting = waitingBatches(db, { customerId, meter });
  await sweepEach(waiting.streamIntact(), async ({ id, data }) => {
    if (!isPaused(data)) return;
    await db.run(async (tx) => {
      const batch = await tx.usageBatches.getIntact(id);
      if (batch !== undefined && isPaused(batch)) tx.usageBatches.update(id, { sendAt: at });
    });
  });
}
