import type { Backend } from '../../backend.ts';
import { findByStripeCustomer } from '../../billing/customers/customer.store.ts';
import { withStripeRefusals, isMissing } from '../../billing/stripe/stripe-errors.ts';
import { idOf } from '../../billing/stripe/stripe-ids.ts';
import { syncAndResolveOverlaps } from '../../billing/subscriptions/overlap/overlap.service.ts';
import { refusal } from '../../refusals/refusals.ts';
import type { AdminSubscriptionView } from '../admin.view.ts';
import { recordAction, type Operator } from '../operator.service.ts';

/**
 * A subscription as Stripe has it, beside our copy. One call to Stripe.
 *
 * @throws Refusal `subscription_not_found`
 */
export async function describeSubscription(backend: Backend, id: string): Promise<AdminSubscriptionView> {
  const { customerId, status } = await findSubscription(backend, id);
  const copy =
    customerId === undefined ? undefined : await backend.db.subscriptions(customerId).getIntact(id);
  return { id, customerId: customerId ?? null, status, copy: copy === undefined ? null : { ...copy } };
}

/**
 * Syncs a subscription with Stripe now, as an event would.
 *
 * @throws Refusal `subscription_not_found`
 */
export async function syncSubscriptionAsOperator(
  backend: Backend,
  operator: Operator,
  id: string,
): Promise<void> {
  const { customerId } = await findSubscription(backend, id);
  if (customerId === undefined) throw refusal('subscription_not_found');
  const teamId = (await backend.db.teams.exists(customerId)) ? customerId : undefined;
  await recordAction(backend, operator, { action: 'admin.subscription_synced', target: id, teamId });
  await syncAndResolveOverlaps(backend, customerId, id);
}

/** @returns `customerId` undefined if no customer here has the Stripe customer */
async function findSubscription(
  { db, stripe }: Backend,
  id: string,
): Promise<{ customerId: string | undefined; status: string }> {
  const { subscriptions } = await stripe();
  try {
    const { customer, status } = await withStripeRefusals(() => subscriptions.retrieve(id));
    return { customerId: (await findByStripeCustomer(db, idOf(customer)))?.id, status };
  } catch (error) {
    if (isMissing(error)) throw refusal('subscription_not_found');
    throw error;
  }
}
