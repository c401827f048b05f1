import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { isProcessed, recordProcessed } from '../stripe/processed-events.ts';
import { handleEvent } from '../webhook/webhook.service.ts';
import type { Repair } from './visit.ts';

/**
 * Finds events that the webhook did not get, or got and could not handle, such as refunds. Reads one document for each event.
 *
 * @param events that Stripe could not deliver to all endpoints of the account, at most 100
 * @returns the events that were not processed, with the work that processes each
 */
export async function findLostEvents(
  backend: Backend,
  events: readonly Stripe.Event[],
): Promise<Map<Stripe.Event, Repair>> {
  const processed = await backend.db.stripeEvents.getWithDamaged(events.map(({ id }) => id));
  const lost = events.filter(({ id }) => !processed.has(id));
  return new Map(lost.map((event) => [event, { work: () => recover(backend, event), calls: 2 }]));
}

/** Handles an event as the webhook does. Also records events that concern nobody, so that no later run reads them again. */
async function recover(backend: Backend, event: Stripe.Event): Promise<void> {
  await handleEvent(backend, event);
  await backend.db.run(async (tx) => {
    if (!(await isProcessed(tx, event))) recordProcessed(tx, event, backend.now());
  });
}
