import type { Backend } from '../../../backend.ts';
import { refuse } from '../../../refusals.ts';
import type { Subject } from '../../subject.ts';
import { isMissing } from '../../stripe/stripe-errors.ts';
import { listPlanSubscriptions, type PlanSubscription } from '../overlap/plan-subscriptions.ts';

/**
 * Finds the running subscription that pays for the plan of a subject. If there are several, the one with the best plan is
 * found. One call to Stripe.
 *
 * @throws Refusal `subscription_not_found`
 */
export async function requirePlanSubscription(
  backend: Backend,
  { customerId }: Pick<Subject, 'customerId'>,
): Promise<PlanSubscription> {
  const { plans } = backend.config;
  const found = await list(backend, customerId);
  const [best] = found.sort((a, b) => plans.indexOf(b.plan) - plans.indexOf(a.plan));
  if (best === undefined) throw refuse('subscription_not_found');
  return best;
}

async function list(backend: Backend, customerId: string): Promise<PlanSubscription[]> {
  const stripeId = (await backend.db.customers.get(customerId))?.stripeId;
  if (stripeId === undefined) return [];
  try {
    return await listPlanSubscriptions(backend, customerId, stripeId);
  } catch (error) {
    // The Stripe customer was deleted in the dashboard, and no event has arrived yet.
    if (isMissing(error, 'customer')) return [];
    throw error;
  }
}
