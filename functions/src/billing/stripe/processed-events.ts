import type Stripe from 'stripe';
import { DAY_MS } from '../../common/durations.ts';
import type { Db, Reads, Tx } from '../../firestore/db.ts';
import type { StripeEventDocument } from '../../firestore/documents/billing-state.ts';

/**
 * Stripe lists an event for 30 days, and a record stays as long. During these days the reconciliation handles
 * listed events:
 *
 * - An undelivered event is handled in each run, as long as its record has no `recoveredAt`. A record alone says only
 *   that the sync has committed: the mail may be missing.
 * - An event about entitlements is handled if it has no record.
 *
 * https://docs.stripe.com/api/events
 */
const TTL_MS = 30 * DAY_MS;

export type EventHead = Pick<Stripe.Event, 'id' | 'type'>;

/** True if a sync for an event has committed before. Reads one document, or none without an event. */
export async function isProcessed(reads: Reads, event: EventHead | undefined): Promise<boolean> {
  return event !== undefined && reads.stripeEvents.exists(event.id);
}

/** Records an event in the transaction of its changes, so that a second sync for the event changes no document. */
export function recordProcessed(tx: Tx, event: EventHead | undefined, now: Date): void {
  if (event !== undefined) tx.stripeEvents.create(event.id, recordOf(event, now));
}

/** Records that the reconciliation has handled an event with all of its steps. */
export async function recordRecovered(db: Db, event: EventHead, now: Date): Promise<void> {
  await db.stripeEvents.set(event.id, { ...recordOf(event, now), recoveredAt: now });
}

function recordOf({ type }: EventHead, now: Date): StripeEventDocument {
  return { type, processedAt: now, expiresAt: new Date(now.getTime() + TTL_MS) };
}
