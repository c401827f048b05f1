import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { isPlanAtLeast, type Plan, type PlanList } from '../../../settings/plans.ts';
import { requireOpenCustomer } from '../../customer-rules.ts';
import type { Subject } from '../../subject.ts';
import { ownedPlansOf } from '../../subscriptions/holding.ts';

/**
 * Checks that the customer exists, is open and still has the same Stripe customer. Called in the transaction that
 * stores a checkout or a one-time purchase. Another Stripe customer may have been linked since the request began, for
 * example after a payment by a payment link. Then the page would be for the former Stripe customer.
 *
 * @throws Refusal `customer_closed`, `checkout_superseded`
 */
export function requireOpenCustomerLinkedTo(
  customer: CustomerDocument | undefined,
  { stripeCustomerId, now }: { stripeCustomerId: string; now: Date },
): CustomerDocument {
  const openCustomer = requireOpenCustomer(customer, now);
  if (openCustomer.stripeId !== stripeCustomerId) throw refusal('checkout_superseded');
  return openCustomer;
}

/**
 * @throws Refusal `already_owned` or `covered_by_owned` (for a team `team_already_owns` or `team_covered_by_owned`) if
 *   the plan or a higher one was bought by a one-time purchase
 */
export function requireNotOwned(
  plans: PlanList,
  customer: CustomerDocument,
  { type, plan }: { type: Subject['type']; plan: Plan },
): void {
  const owned = ownedPlansOf(customer, plans);
  const isTeam = type === 'team';
  if (owned.includes(plan)) throw refusal(isTeam ? 'team_already_owns' : 'already_owned');
  if (owned.some(({ slug }) => isPlanAtLeast(plans, slug, plan.slug))) {
    throw refusal(isTeam ? 'team_covered_by_owned' : 'covered_by_owned');
  }
}
