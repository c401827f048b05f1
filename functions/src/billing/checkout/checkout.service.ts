import type { Backend } from '../../backend.ts';
import {
  requireCurrency,
  requireOfferedTo,
  requirePaidPlan,
  requireIntervalPrice,
} from '../catalogue/offer-rules.ts';
import { withStripeCustomer } from '../customers/stripe-customer.service.ts';
import type { StripePage } from '../stripe/stripe-page.ts';
import type { Subject } from '../subject.ts';
import { findChosenAddOns } from '../subscriptions/wanted-items/line-items.ts';
import { findDestination } from './destination/destination.service.ts';
import { makeCart } from './page/cart.service.ts';
import { openCheckoutPage } from './page/checkout-page.service.ts';
import type { PlanChoice, PlanOrder } from './page/checkout-shapes.ts';
import { createPortalSession } from './portal.service.ts';

/**
 * Opens the page where a subject gets a plan: a checkout, an open invoice or the portal. A customer with a subscription
 * that cannot be replaced gets no checkout, because a second subscription would charge twice.
 *
 * @throws Refusal as its route declares; `busy` if five attempts to open the page fail
 */
export async function beginCheckout(
  backend: Backend,
  subject: Subject,
  { slug, addOns: quantities = {}, ...choice }: PlanChoice,
): Promise<StripePage> {
  const { extras } = backend.config;
  const plan = requirePaidPlan(backend.config.plans, slug);
  requireOfferedTo(plan, subject.type);
  const { price } = requireIntervalPrice(plan, choice.interval);
  requireCurrency(price, choice.currency);
  const addOns = findChosenAddOns(extras, { subject, plan }, quantities);
  const order = { subject, plan, addOns, ...choice };
  return withStripeCustomer(backend, subject, (stripeCustomerId) =>
    openDestination(backend, order, stripeCustomerId),
  );
}

async function openDestination(
  backend: Backend,
  order: PlanOrder,
  stripeCustomerId: string,
): Promise<StripePage> {
  const { subject, appPageAfterPortal } = order;
  const destination = await findDestination(backend, subject.customerId, stripeCustomerId);
  if (destination.kind === 'invoice') return destination.page;
  if (destination.kind === 'checkout') {
    const cart = await makeCart(backend, order, stripeCustomerId, destination.replaces);
    const page = await openCheckoutPage(backend, { ...order, stripeCustomerId, cart });
    if (page !== 'plan_bought') return page;
    // The customer has bought the plan since `findDestination`, and can manage it in the portal.
  }
  return createPortalSession(backend, subject, stripeCustomerId, { appPageUrl: appPageAfterPortal });
}
