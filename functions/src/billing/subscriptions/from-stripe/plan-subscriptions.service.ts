import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import type { SubscriptionDocument } from '../../../firestore/documents/subscription.ts';
import type { Plan } from '../../../settings/plans.ts';
import { findPlanOfItems } from '../plan-item.ts';
import { isRunning } from '../status.ts';
import { requireExpanded, WITH_PAYMENT_METHODS, type ExpandedSubscription } from './bank-debit.ts';
import { findItemsWithLookupKeys } from './subscription-items.store.ts';

export interface PlanSubscription<Subscription extends Stripe.Subscription = ExpandedSubscription> {
  /** By default with `latest_invoice` expanded. */
  subscription: Subscription;
  /** The line item that pays for the plan, as Stripe has it. */
  stripeItem: Stripe.SubscriptionItem;
  /** All line items, with their lookup keys by `findItemsWithLookupKeys`. */
  items: SubscriptionDocument['items'];
  plan: Plan;
  /** Our copy. */
  copy: SubscriptionDocument | undefined;
}

/**
 * Lists the running subscriptions that pay for a plan. Asks Stripe, because our copies may be behind until an event
 * arrives. One call to Stripe. Reads one document for each running subscription, and the prices that
 * `findItemsWithLookupKeys` reads.
 */
export async function listPlanSubscriptions(
  backend: Backend,
  customerId: string,
  stripeCustomerId: string,
): Promise<PlanSubscription[]> {
  const { subscriptions } = await backend.stripe();
  const expand = WITH_PAYMENT_METHODS.expand.map((property) => `data.${property}`);
  const { data } = await subscriptions.list({ customer: stripeCustomerId, limit: 100, expand });
  const found = await Promise.all(
    data
      .filter(isRunning)
      .map((subscription) => readPlanSubscription(backend, customerId, requireExpanded(subscription))),
  );
  return found.filter((subscription) => subscription !== undefined);
}

/**
 * Reads our copy of the subscription and the prices of its line items.
 *
 * @returns undefined if the subscription pays for none of the plans
 */
export async function readPlanSubscription<Subscription extends Stripe.Subscription>(
  { config, db }: Backend,
  customerId: string,
  subscription: Subscription,
): Promise<PlanSubscription<Subscription> | undefined> {
  const copy = await db.subscriptions(customerId).getIntact(subscription.id);
  const items = await findItemsWithLookupKeys(db, config, subscription, copy);
  const paid = findPlanOfItems(items, config.plans);
  const stripeItem = paid && subscription.items.data.find(({ id }) => id === paid.item.id);
  return stripeItem && { subscription, stripeItem, items, plan: paid.plan, copy };
}
