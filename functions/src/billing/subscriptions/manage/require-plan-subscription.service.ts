import type { Backend } from '../../../backend.ts';
import { refusal, type Refusal } from '../../../refusals/refusals.ts';
import { isMissing } from '../../stripe/stripe-errors.ts';
import type { SubjectKey } from '../../subject.ts';
import { listPlanSubscriptions, type PlanSubscription } from '../from-stripe/plan-subscriptions.service.ts';

/**
 * Finds the running subscription with the highest plan. One call to Stripe.
 *
 * @throws Refusal `user_has_no_subscription`, `team_has_no_subscription`
 */
export async function requirePlanSubscription(
  backend: Backend,
  { type, customerId }: SubjectKey,
): Promise<PlanSubscription> {
  const { plans } = backend.config;
  const found = await list(backend, customerId);
  const [best] = found.sort((a, b) => plans.indexOf(b.plan) - plans.indexOf(a.plan));
  if (best === undefined) throw noSubscription({ type });
  return best;
}

export function noSubscription({ type }: Pick<SubjectKey, 'type'>): Refusal {
  return refusal(type === 'team' ? 'team_has_no_subscription' : 'user_has_no_subscription');
}

async function list(backend: Backend, customerId: string): Promise<PlanSubscription[]> {
  const stripeCustomerId = (await backend.db.customers.get(customerId))?.stripeId;
  if (stripeCustomerId === undefined) return [];
  try {
    return await listPlanSubscriptions(backend, customerId, stripeCustomerId);
  } catch (error) {
    // The Stripe customer was deleted in the dashboard, and no event has arrived yet.
    if (isMissing(error, 'customer')) return [];
    throw error;
  }
}
