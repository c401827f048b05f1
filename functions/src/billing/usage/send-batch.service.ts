import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { DAY_MS, HOUR_MS } from '../../common/durations.ts';
import { logFault } from '../../common/log.ts';
import type { UsageBatch } from '../../firestore/documents/usage.ts';
import { withStripeRefusals, isInvalidRequest, isMissing } from '../stripe/stripe-errors.ts';

/** For this time no other run sends the batch. A call to Stripe takes less time with all its retries. */
const LEASE_MS = 120_000;

/** Stripe accepts events of the last 35 days. https://docs.stripe.com/api/billing/meter-event/create */
const MAX_AGE_MS = 34 * DAY_MS;

/** Stripe refuses a known identifier for at least 24 hours. One hour is subtracted for clocks that differ. */
const IDENTIFIER_LIFE_MS = 23 * HOUR_MS;

type Outcome = Pick<UsageBatch, 'status' | 'sendAt' | 'triedAt'>;

const done = (status: UsageBatch['status']): Outcome => ({ status, sendAt: null, triedAt: null });

/**
 * Sends one batch to Stripe, under a lease.
 *
 * @param options.isDueNow true to send the batch before its time
 * @returns true if Stripe has counted the batch
 * @throws Refusal `billing_unavailable`: the batch stays due
 */
export async function sendBatch(backend: Backend, id: string, { isDueNow = false } = {}): Promise<boolean> {
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
    const batch = await tx.usageBatches.getIntact(id);
    if (batch?.status !== 'waiting' || batch.sendAt === null) return undefined;
    if (batch.sendAt > at && !isDueNow) return undefined;
    const closedAs = finalStatusOf(batch, at);
    if (closedAs !== undefined) {
      tx.usageBatches.update(id, done(closedAs));
      return { batch, closedAs, stripeCustomerId: undefined };
    }
    const { customerId } = batch;
    const stripeCustomerId = (await tx.customers.getIntact(customerId))?.stripeId;
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

export function logLost(id: string, { customerId, meter }: UsageBatch, error: unknown): void {
  logFault('Usage was not sent to Stripe', { batchId: id, customerId, meter }, error);
}
