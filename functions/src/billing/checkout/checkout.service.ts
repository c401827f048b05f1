import type { Backend } from '../../backend.ts';
import type { Cart } from '../../firestore/documents/customer.ts';
import { requireCurrency, requireSoldTo, requirePaidPlan, requirePrice } from '../catalogue/paid-plan.ts';
import { withStripeCustomer } from '../customers/creation/ensure-stripe-customer.service.ts';
import { requirePromotionCode } from '../stripe/promotion-code.ts';
import type { StripePage } from '../stripe/stripe-page.ts';
import type { Subject } from '../subject.ts';
import { findLineItems, requireAddOns } from '../subscriptions/wanted-items/line-items.ts';
import { findDestination } from './destination.service.ts';
import { openCheckoutPage } from './open-checkout-page.service.ts';
import { createPortalSession } from './portal/portal.service.ts';
import type { PlanOrder, PlanChoice } from './session/plan-order.ts';

/**
 * Opens the page where a subject gets a plan. If the customer has no subscription to a plan, or a new one can replace
 * all of them, this is Stripe's checkout page. Otherwise it is the page of an open invoice, or the portal, because a
 * second subscription would charge the customer twice.
 *
 * Two routes call this function, and `checkout-sessions.service.ts` for clients of the Stripe extension. The refusals
 * are `REFUSALS` of `checkout.routes.ts`, and those of add-ons if add-ons are chosen.
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
  requireSoldTo(plan, subject.type);
  requireCurrency(requirePrice(plan, choice.interval), choice.currency);
  const addOns = requireAddOns(extras, { subject, plan }, quantities);
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
  const { subject, portalReturnUrl } = order;
  const next = await findDestination(backend, subject.customerId, stripeCustomerId);
  if (next.kind === 'invoice') return next.page;
  if (next.kind === 'checkout') {
    const cart = await makeCart(backend, order, stripeCustomerId, next.replaces);
    const page = await openCheckoutPage(backend, { ...order, stripeCustomerId, cart });
    if (page !== 'plan_bought') return page;
  }
  // The running subscription can be changed in the portal.
  return createPortalSession(backend, subject, stripeCustomerId, { returnUrl: portalReturnUrl });
}

/** @param replaces ids of the subscriptions that end once the checkout is paid */
async function makeCart(
  backend: Backend,
  order: PlanOrder,
  stripeCustomerId: string,
  replaces: readonly string[],
): Promise<Cart> {
  const { currency, code, returnUrls } = order;
  const stripe = await backend.stripe();
  const [lines, promotionCodeId] = await Promise.all([
    findLineItems(backend.db, stripe, order),
    code === undefined ? order.promotionCodeId : requirePromotionCode(stripe, code, stripeCustomerId),
  ]);
  const [{ priceId, quantity = 1 }, ...others] = lines;
  const furtherItems = others.map((line) => ({
    priceId: line.priceId,
    ...(line.quantity !== undefined && { quantity: line.quantity }),
  }));
  return {
    priceId,
    quantity,
    ...(furtherItems.length > 0 && { furtherItems }),
    ...(currency !== undefined && { currency }),
    ...(promotionCodeId !== undefined && { promotionCode: promotionCodeId }),
    ...(replaces.length > 0 && { replaces: [...replaces] }),
    ...(returnUrls && { returnUrls }),
  };
}
