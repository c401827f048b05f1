import { isDeepStrictEqual } from 'node:util';
import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import { withStripeRefusals, isMissing } from '../stripe/stripe-errors.ts';
import { syncClaims } from '../subscriptions/access/claims.service.ts';
import { storedHoldingOf } from '../subscriptions/stored-holding.ts';
import { isSynced, recordSynced, type EventIdAndType } from '../synced-events.store.ts';

/**
 * Copies a customer's entitlements from Stripe to the customer's document, and for a team also to the team's document.
 * For a user, syncs the custom claims as well. Idempotent.
 *
 * Stripe is asked inside the transaction, after the customer is locked. Therefore events can come in any order.
 *
 * @param event the event that reported a change; a second sync for the same event changes no document
 * @throws DamagedDocument
 */
export async function syncEntitlements(
  backend: Backend,
  customerId: string,
  event?: EventIdAndType,
): Promise<void> {
  const { config, db } = backend;
  const customer = await withStripeRefusals(() =>
    db.run((tx) => copyEntitlements(backend, tx, { customerId, event })),
  );
  if (customer?.type !== 'user') return;
  await syncClaims(backend, customerId, storedHoldingOf(config.plans, customer));
}

/** @returns the customer afterwards; undefined if there is none */
async function copyEntitlements(
  backend: Backend,
  tx: Tx,
  { customerId, event }: { customerId: string; event: EventIdAndType | undefined },
): Promise<CustomerDocument | undefined> {
  const [customer, wasSynced] = await Promise.all([tx.customers.get(customerId), isSynced(tx, event)]);
  if (customer === undefined || wasSynced) return customer;
  const team = customer.type === 'team' ? await tx.teams.get(customerId) : undefined;
  const entitlements = await listEntitlements(backend, customer);
  recordSynced(tx, event, backend.now());
  // If Stripe has never given the customer an entitlement, the claim and the team keep the entitlements that others
  // wrote.
  if (entitlements.length === 0 && customer.entitlements === undefined) return customer;
  if (!isDeepStrictEqual(customer.entitlements, entitlements))
    tx.customers.update(customerId, { entitlements });
  if (team && !isDeepStrictEqual(team.entitlements, entitlements))
    tx.teams.update(customerId, { entitlements });
  return { ...customer, entitlements };
}

/**
 * The lookup keys of the features that Stripe gives a customer now. Empty if the Stripe customer was deleted. The list
 * comes from Stripe, because an event has at most ten features. https://docs.stripe.com/billing/entitlements
 */
async function listEntitlements(
  { stripe }: Backend,
  { stripeId: stripeCustomerId }: Pick<CustomerDocument, 'stripeId'>,
): Promise<string[]> {
  if (stripeCustomerId === undefined) return [];
  const { activeEntitlements } = (await stripe()).entitlements;
  const keys = new Set<string>();
  try {
    for await (const { lookup_key: key } of activeEntitlements.list({
      customer: stripeCustomerId,
      limit: 100,
    })) {
      keys.add(key);
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return [...keys].toSorted();
}
