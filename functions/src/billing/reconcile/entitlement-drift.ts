import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { findCustomers } from '../customers/customer.store.ts';
import { syncEntitlements } from '../customers/entitlements/sync-entitlements.service.ts';
import type { Repair } from './visit/visit.ts';

export const ENTITLEMENTS_UPDATED = 'entitlements.active_entitlement_summary.updated';

/**
 * Finds the events about entitlements that were not processed. Stripe has no list of all entitlements, but lists its
 * events of the last 30 days. Reads one document for each event, and one more if the event was not processed.
 *
 * @returns the found events of our customers, with the work that processes each event
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
