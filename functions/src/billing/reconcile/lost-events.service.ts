import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { DamagedDocument } from '../../firestore/damage.ts';
import type { StripeEventDocument } from '../../firestore/documents/stripe-event.ts';
import { findCustomers } from '../customers/customer.store.ts';
import { syncEntitlements } from '../customers/sync-entitlements.service.ts';
import { recordRecovered } from '../processed-events.store.ts';
import { handleEvent } from '../webhook/webhook.service.ts';
import type { Repair } from './visit.ts';

/**
 * Finds events that the reconciliation has not handled yet. The webhook may have done some of their steps already. Each
 * step may be repeated. Reads one document for each event.
 *
 * @param events that Stripe could not deliver to all endpoints of the account, at most 100
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

async function recover(backend: Backend, event: Stripe.Event): Promise<void> {
  await handleEvent(backend, event);
  await recordRecovered(backend.db, event, backend.now());
}

export const ENTITLEMENTS_UPDATED = 'entitlements.active_entitlement_summary.updated';

/**
 * Finds the unprocessed events about entitlements. Stripe cannot list the entitlements of all customers, so the events
 * show which customers have changed. Reads one document for each event, and one more for an unprocessed event.
 */
export async function findLostEntitlementEvents(
  backend: Backend,
  events: readonly Stripe.Event[],
): Promise<Map<Stripe.Event, Repair>> {
  const { db } = backend;
  const processed = await db.stripeEvents.getWithDamaged(events.map(({ id }) => id));
  const lost = events.filter(({ id }) => !processed.has(id));
  const customers = await findCustomers(
    db,
    lost.map((event) => stripeCustomerOf(event)),
  );
  return new Map(
    lost.flatMap((event) => {
      const found = customers.get(stripeCustomerOf(event));
      return found === undefined
        ? []
        : [[event, { work: () => syncEntitlements(backend, found.id, event), calls: 1 }] as const];
    }),
  );
}

function stripeCustomerOf({ data: { object } }: Stripe.Event): string {
  return 'customer' in object && typeof object.customer === 'string' ? object.customer : '';
}
