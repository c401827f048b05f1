import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { refuse } from '../../refusals.ts';
import type { Plan } from '../../settings/plans.ts';
import type { Subject } from '../customers/subject.ts';
import { isMissing } from '../stripe/stripe-errors.ts';
import { readItems } from '../subscriptions/subscription-items.ts';
import { bestItem, isRunning } from '../subscriptions/subscription.ts';

/** The running subscription that pays for the plan of a user or team, as Stripe has it now. */
export interface PlanSubscription {
  /** With `latest_invoice` expanded. */
  subscription: Stripe.Subscription;
  /** The line item that pays for the best plan. */
  item: Stripe.SubscriptionItem;
  plan: Plan;
}

/** The parameters with which a subscription is retrieved for `PlanSubscription`. */
export const EXPAND = ['latest_invoice'];

/**
 * Finds the running subscription that pays for the plan of a subject. Asks Stripe, because our copy may be behind until a
 * webhook arrives. If there are several, the one with the best plan is found. One call to Stripe.
 *
 * @throws Refusal `subscription_not_found`
 */
export async function requirePlanSubscription(
  backend: Backend,
  { customerId }: Pick<Subject, 'customerId'>,
): Promise<PlanSubscription> {
  const running = (await listSubscriptions(backend, customerId)).filter(isRunning);
  const found = await Promise.all(running.map((one) => toPlanSubscription(backend, customerId, one)));
  const { plans } = backend.config;
  const [best] = found
    .filter((one) => one !== undefined)
    .sort((a, b) => plans.indexOf(b.plan) - plans.indexOf(a.plan));
  if (best === undefined) throw refuse('subscription_not_found');
  return best;
}

/** @returns undefined if the subscription pays for none of the plans */
export async function toPlanSubscription(
  { config: { plans }, db }: Backend,
  customerId: string,
  subscription: Stripe.Subscription,
): Promise<PlanSubscription | undefined> {
  const copies = await db.subscriptions(customerId).getIntact([subscription.id]);
  const items = await readItems(db, plans, subscription, copies.get(subscription.id));
  const best = bestItem(items, plans);
  const item = best && subscription.items.data.find(({ id }) => id === best.item.id);
  return item && { subscription, item, plan: best.plan };
}

async function listSubscriptions(
  { db, stripe }: Backend,
  customerId: string,
): Promise<Stripe.Subscription[]> {
  const stripeId = (await db.customers.get(customerId))?.stripeId;
  if (stripeId === undefined) return [];
  const { subscriptions } = await stripe();
  try {
    const expand = EXPAND.map((property) => `data.${property}`);
    return (await subscriptions.list({ customer: stripeId, limit: 100, expand })).data;
  } catch (error) {
    // The Stripe customer was deleted in the dashboard, and no event has arrived yet.
    if (isMissing(error, 'customer')) return [];
    throw error;
  }
}
