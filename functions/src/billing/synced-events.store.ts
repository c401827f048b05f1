import type Stripe from 'stripe';
import { DAY_MS } from '../common/durations.ts';
import type { Db, Reads, Tx } from '../firestore/db.ts';
import type { StripeEventDocument } from '../firestore/documents/stripe-event.ts';

/** A record stays as long as Stripe lists the event. https://docs.stripe.com/api/events */
const TTL_MS = 30 * DAY_MS;

export type EventIdAndType = Pick<Stripe.Event, 'id' | 'type'>;

/** Reads one document, or none without an event. */
export async function isSynced(reads: Reads, event: EventIdAndType | undefined): Promise<boolean> {
  return event !== undefined && reads.stripeEvents.exists(event.id);
}

/** Call it in the transaction of the changes. A second sync for the event then changes nothing. */
export function recordSynced(tx: Tx, event: EventIdAndType | undefined, now: Date): void {
  if (event !== undefined) tx.stripeEvents.create(event.id, recordOf(event, now));
}

/**
 * Records that the reconciliation has run all steps of an event that Stripe could not deliver. The record of
 * `recordSynced` proves only the sync, not that later steps ran, such as the mail. Therefore the reconciliation
 * handles an event again until its record has `recoveredAt`.
 */
export async function recordRecovered(db: Db, event: EventIdAndType, now: Date): Promise<void> {
  await db.stripeEvents.set(event.id, { ...recordOf(event, now), recoveredAt: now });
}

function recordOf({ type }: EventIdAndType, now: Date): StripeEventDocument {
  return { type, processedAt: now, expiresAt: new Date(now.getTime() + TTL_MS) };
}
