import type { DocumentReference, Firestore, Transaction } from 'firebase-admin/firestore';
import type Stripe from 'stripe';

/** Longer than Stripe repeats an event (three days). https://docs.stripe.com/webhooks#automatic-retries */
const TTL_MS = 30 * 86_400_000;

export type EventHead = Pick<Stripe.Event, 'id' | 'type'>;

/** `stripeEvents/{eventId}`: there once the event has been followed. */
export function eventRef(firestore: Firestore, { id }: EventHead): DocumentReference {
  return firestore.doc(`stripeEvents/${id}`);
}

/** Whether an event was followed before; reads one document, or none where there is no event. */
export async function isFollowed(
  transaction: Transaction,
  firestore: Firestore,
  event: EventHead | undefined,
): Promise<boolean> {
  return event !== undefined && (await transaction.get(eventRef(firestore, event))).exists;
}

/** Notes, in the transaction of what it changes, that an event was followed. */
export function recordEvent(
  transaction: Transaction,
  firestore: Firestore,
  event: EventHead | undefined,
  now: Date,
): void {
  if (event === undefined) return;
  transaction.create(eventRef(firestore, event), {
    type: event.type,
    processedAt: now,
    expiresAt: new Date(now.getTime() + TTL_MS),
  });
}
