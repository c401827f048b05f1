import type { Backend } from '../../../backend.ts';
import { findInvoiceToPay } from '../../subscriptions/from-stripe/invoice-to-pay.ts';
import { listPlanSubscriptions } from '../../subscriptions/from-stripe/plan-subscriptions.service.ts';
import { decideDestination, decidingFieldsOf, type Destination } from './destination.ts';

/**
 * Asks Stripe for the customer's subscriptions to plans, and decides the page. Calls Stripe once, and once more for
 * each past due subscription whose latest invoice is not open. Reads as many documents as `listPlanSubscriptions`.
 *
 * @throws Error of Stripe if the Stripe customer was deleted: see `withStripeCustomer`
 */
export async function findDestination(
  backend: Backend,
  customerId: string,
  stripeCustomerId: string,
): Promise<Destination> {
  const found = await listPlanSubscriptions(backend, customerId, stripeCustomerId);
  const stripe = await backend.stripe();
  const now = backend.now();
  const subscriptions = await Promise.all(
    found.map(async (planSubscription) => ({
      ...decidingFieldsOf(planSubscription, { ...backend.config, now }),
      invoiceToPay: await findInvoiceToPay(stripe, planSubscription.subscription),
    })),
  );
  return decideDestination(subscriptions, now);
}
