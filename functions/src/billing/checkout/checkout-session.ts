import type Stripe from 'stripe';
import type { Config } from '../../settings/config.ts';
import type { Plan } from '../../settings/plans.ts';
import { withQuery } from '../../http/redirect.ts';
import type { Checkout } from '../../firestore/documents/customer.ts';
import type { Subject } from '../customers/subject.ts';

/** Where Stripe sends the payer back to; it puts the id of the session in place of the braces. */
const RETURN = '/api/auth/checkout/return?session_id={CHECKOUT_SESSION_ID}';

/**
 * The hosted checkout page of a plan. Equal checkouts make equal parameters, whoever asks, as the idempotency key wants them.
 */
export function sessionParams(
  config: Config,
  subject: Subject,
  plan: Plan,
  checkout: Checkout,
  customer: string,
): Stripe.Checkout.SessionCreateParams {
  const { customerId, type } = subject;
  const metadata = { ...marksOf(subject, checkout), plan: plan.slug };
  const savesAddress = config.automaticTax || config.collectAddress;
  return {
    mode: 'subscription',
    customer,
    client_reference_id: customerId,
    line_items: [{ price: checkout.priceId, quantity: checkout.quantity }],
    metadata,
    subscription_data: {
      metadata,
      ...(checkout.trialDays > 0 && { trial_period_days: checkout.trialDays }),
    },
    ...(config.promotionCodes && { allow_promotion_codes: true }),
    ...(config.automaticTax && { automatic_tax: { enabled: true } }),
    ...(config.collectAddress && { billing_address_collection: 'required' }),
    ...(savesAddress && { customer_update: { address: 'auto' } }),
    success_url: config.appUrl + RETURN,
    cancel_url: config.appUrl + withTeam(config.checkoutCancelPath, type, customerId),
  };
}

/** A path of the app that is to speak of the same subject. */
export function withTeam(path: string, type: Subject['type'], customerId: string): string {
  return type === 'team' ? withQuery(path, { team: customerId }) : path;
}

/** Whose the subscription is and who may not have another trial for it; the name of a uid is the Stripe extension's. */
function marksOf(
  { type, customerId }: Subject,
  { ownerId, callerId }: Pick<Checkout, 'ownerId' | 'callerId'>,
): Record<string, string> {
  return type === 'user'
    ? { firebaseUID: customerId }
    : { teamId: customerId, ownerId, firebaseUID: callerId };
}
