import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { DAY_MS, HOUR_MS } from '../../common/durations.ts';
import { logFault } from '../../common/log.ts';
import { sweepEach } from '../../common/sweep.ts';
import type { UsageBatch } from '../../firestore/documents/usage.ts';
import type { Placed } from '../../firestore/query.ts';
import { Refusal, refusal } from '../../refusals/refusals.ts';
import { withStripeRefusals, isInvalidRequest, isMissing } from '../stripe/stripe-errors.ts';
import { collectReports, collectReportsOf } from './collect.service.ts';
import { dueBatches, waitingBatches, waitingBatchesOf } from './usage.store.ts';

/** The function is stopped after 540 seconds. */
const MAX_RUN_MS = 400_000;

/** The most batches that are in memory at the same time. */
const MAX_BATCHES = 1_000;

/** Customers and meters whose batches are sent at the same time: about 55 calls to Stripe a second, of 100 allowed. */
const CONCURRENCY = 15;

/** For this time no other run sends the batch. A call to Stripe takes less time with all its retries. */
const LEASE_MS = 120_000;

/** Stripe accepts events of the last 35 days. https://docs.stripe.com/api/billing/meter-event/create */
const MAX_AGE_MS = 34 * DAY_MS;

/** Stripe refuses a known identifier for at least 24 hours. One hour is subtracted for clocks that differ. */
const IDENTIFIER_LIFE_MS = 23 * HOUR_MS;

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
  let due: Placed<UsageBatch>[];
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
 * Sends the usage of a customer who is being deleted, also batches that wait for a later attempt. Idempotent. A batch
 * that another run is sending may be sent twice: Stripe refuses its identifier the second time.
 *
 * A batch that Stripe rejects is logged, and does not prevent the deletion. Without meters reads nothing.
 *
 * @throws Refusal `billing_unavailable`: the repeated deletion sends the rest; `busy`: the same
 */
export async function sendUsageOf(backend: Backend, customerId: string): Promise<void> {
  const { config, db } = backend;
  if (config.extras.meters.length === 0) return;
  if (!(await collectReportsOf(backend, customerId))) throw refusal('busy');
  for (const { id, data } of await waitingBatchesOf(db, customerId).findIntact()) {
    try {
      await sendBatch(backend, id, { isDueNow: true });
    } catch (error) {
      if (error instanceof Refusal) throw error;
      logLost(id, data, error);
    }
  }
}

/** Sends batches of one customer and meter, one after the other. If one was sent, the others stop waiting. */
async function sendSequence(
  backend: Backend,
  batches: readonly Placed<UsageBatch>[],
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
      const batch = (await tx.usageBatches.getIntact([id])).get(id);
      if (batch !== undefined && isPaused(batch)) tx.usageBatches.update(id, { sendAt: at });
    });
  });
}

type Outcome = Pick<UsageBatch, 'status' | 'sendAt' | 'triedAt'>;

const done = (status: UsageBatch['status']): Outcome => ({ status, sendAt: null, triedAt: null });

/**
 * @param options.isDueNow true to send the batch before its time
 * @returns true if Stripe has counted the batch
 * @throws Refusal `billing_unavailable`: the batch stays due
 */
async function sendBatch(backend: Backend, id: string, { isDueNow = false } = {}): Promise<boolean> {
  const { db, now } = backend;
  const begun = await beginAttempt(backend, id, isDueNow);
  if (begun === undefined) return false;
  const outcome = await attempt(backend, id, begun);
  await db.run(async (tx) => {
    if (await tx.usageBatches.exists(id)) {
      tx.usageBatches.update(id, outcome ?? { sendAt: new Date(now().getTime() + HOUR_MS), triedAt: null });
    }
  });
  return outcome?.status === 'sent';
}

interface Attempt {
  batch: UsageBatch;
  stripeCustomerId: string;
}

/**
 * Acquires the lease of a batch, and records the time of the first attempt. If the batch can never be sent, closes it.
 *
 * @returns undefined if there is nothing to send now
 */
async function beginAttempt(
  { db, now }: Backend,
  id: string,
  isDueNow: boolean,
): Promise<Attempt | undefined> {
  const at = now();
  const begun = await db.run(async (tx) => {
    const batch = (await tx.usageBatches.getIntact([id])).get(id);
    if (batch?.status !== 'waiting' || batch.sendAt === null) return undefined;
    if (batch.sendAt > at && !isDueNow) return undefined;
    const closedAs = finalStatusOf(batch, at);
    if (closedAs !== undefined) {
      tx.usageBatches.update(id, done(closedAs));
      return { batch, closedAs, stripeCustomerId: undefined };
    }
    const { customerId } = batch;
    const stripeCustomerId = (await tx.customers.getIntact([customerId])).get(customerId)?.stripeId;
    const isSent = stripeCustomerId !== undefined;
    tx.usageBatches.update(id, {
      sendAt: new Date(at.getTime() + (isSent ? LEASE_MS : pauseOf(batch, at))),
      ...(isSent && { triedAt: batch.triedAt ?? at }),
    });
    return { batch, closedAs, stripeCustomerId };
  });
  if (begun?.closedAs === 'unclear') logLost(id, begun.batch, 'Stripe did not answer for a day.');
  return begun?.stripeCustomerId === undefined
    ? undefined
    : { ...begun, stripeCustomerId: begun.stripeCustomerId };
}

/**
 * How long a batch waits for a Stripe customer until the next look. Stripe bills usage from before the Stripe customer
 * only in rare cases: a subscription that was bought elsewhere, or one with a start in the past.
 */
function pauseOf({ at }: UsageBatch, now: Date): number {
  return Math.max(DAY_MS, now.getTime() - at.getTime());
}

/** The final status of a batch that can never be sent: Stripe would refuse it, or might count it twice. */
function finalStatusOf({ at, triedAt }: UsageBatch, now: Date): 'expired' | 'unclear' | undefined {
  if (triedAt !== null && now.getTime() - triedAt.getTime() > IDENTIFIER_LIFE_MS) return 'unclear';
  return now.getTime() - at.getTime() > MAX_AGE_MS ? 'expired' : undefined;
}

/**
 * Checks the Stripe customer first: Stripe accepts an event of a deleted one and counts it for nobody.
 *
 * @returns undefined if Stripe did not count the batch: it stays due
 */
async function attempt(
  { config, stripe }: Backend,
  id: string,
  { batch, stripeCustomerId }: Attempt,
): Promise<Outcome | undefined> {
  const meter = config.extras.meters.find(({ slug }) => slug === batch.meter);
  if (meter === undefined) {
    logLost(id, batch, 'The meter is not in extras.json.');
    return undefined;
  }
  const client = await stripe();
  return withStripeRefusals(async () => {
    if (!(await customerExists(client, stripeCustomerId))) {
      logLost(id, batch, `The Stripe customer ${stripeCustomerId} was deleted.`);
      return undefined;
    }
    try {
      await client.billing.meterEvents.create({
        event_name: meter.eventName,
        identifier: id,
        payload: { stripe_customer_id: stripeCustomerId, value: String(batch.value) },
        timestamp: Math.floor(batch.at.getTime() / 1000),
      });
    } catch (error) {
      if (isKnownIdentifier(error, id)) return done('sent');
      if (!isInvalidRequest(error)) throw error;
      logLost(id, batch, error);
      return undefined;
    }
    return done('sent');
  });
}

async function customerExists({ customers }: Stripe, id: string): Promise<boolean> {
  try {
    return (await customers.retrieve(id)).deleted !== true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** True if Stripe has counted the batch before. Stripe has no code for this, only a message. */
function isKnownIdentifier(error: unknown, id: string): boolean {
  return (
    isInvalidRequest(error) &&
    error instanceof Error &&
    error.message.includes(`already exists with identifier ${id}`)
  );
}

function logLost(id: string, { customerId, meter }: UsageBatch, error: unknown): void {
  logFault('Usage was not sent to Stripe', { batch: id, customerId, meter }, error);
}
