import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { DamagedDocument } from '../../firestore/convert.ts';
import type { StripeEventDocument } from '../../firestore/documents/billing-state.ts';
import { recordRecovered } from '../stripe/processed-events.ts';
import { handleEvent } from '../webhook/webhook.service.ts';
import type { Repair } from './visit/visit.ts';

/**
 * Finds events that the webhook did not get, or could not handle completely. Each event is handled once more:
 *
 * - Even if it has a record, because a sync records its event before later steps run, such as `handleRefund`.
 * - Even if only another endpoint of the account has not received it.
 *
 * All steps may be repeated. Reads one document for each event.
 *
 * @param events that Stripe could not deliver to all endpoints of the account, at most 100
 * @returns the events that no reconciliation has handled yet, with the work that handles each event
 */
export async function findLostEvents(
  backend: Backend,
  events: readonly Stripe.Event[],
): Promise<Map<Stripe.Event, Repair>> {
  const records = await backend.db.stripeEvents.getWithDamaged(events.map(({ id }) => id));
  const lost = events.filter(({ id }) => !isRecovered(records.get(id)));
  return new Map(lost.map((event) => [event, { work: () => recover(backend, event), calls: 2 }]));
}

function isRecovered(record: StripeEventDocument | DamagedDocument | undefined): boolean {
  return record !== undefined && !(record instanceof DamagedDocument) && record.recoveredAt !== undefined;
}

/**
 * Handles an event as the webhook does. Also records events that concern nobody, so that no later run handles them
 * again.
 */
async function recover(backend: Backend, event: Stripe.Event): Promise<void> {
  await handleEvent(backend, event);
  await recordRecovered(backend.db, event, backend.now());
}
