import type Stripe from 'stripe';
import type { Reads, Tx } from '../../firestore/db.ts';

/** As long as Stripe lists events, because the reconciliation handles listed events without a record. https://docs.stripe.com/api/events */
const TTL_MS = 30 * 86_400_000;

export type EventHead = Pick<Stripe.Event, 'id' | 'type'>;

/** Whether a sync for an event has committed its documents before. Reads one document, or none without an event. */
export async function isProcessed(reads: Reads, event: EventHead | undefined): Promise<boolean> {
  return event !== undefined && reads.stripeEvents.exists(event.id);
}

/** Records an event in the transaction of its changes, so that it is processed once. */
export function recordProcessed(tx: Tx, event: EventHead | undefined, now: Date): void {
  if (event === undefined) return;
  const expiresAt = new Date(now.getTime() + TTL_MS);
  tx.stripeEvents.create(event.id, { type: event.type, processedAt: now, expiresAt });
}
