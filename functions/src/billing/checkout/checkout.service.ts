import type { Backend } from '../../backend.ts';
import type { Cart } from '../../firestore/documents/customer.ts';
import { refuse } from '../../refusals/refusals.ts';
import { requireCurrency, requireSoldTo, requirePaidPlan, requirePrice } from '../catalogue/paid-plan.ts';
import { withStripeCustomer } from '../customers/creation/ensure-stripe-customer.service.ts';
import { requirePromotionCode } from '../stripe/promotion-code.ts';
import type { StripePage } from '../stripe/stripe-page.ts';
import type { Subject } from '../subject.ts';
import { findLineItems, requireAddOns } from '../subscriptions/items/line-items.ts';
import { ensureCheckoutSession, type CheckoutStatus } from './checkout-session.service.ts';
import { forgetCheckout } from './checkout.store.ts';
import { findDestination } from './destination.service.ts';
import type { PlanOrder, PlanChoice, PreparedCheckout } from './plan-order.ts';
import { createPortalSession } from './portal/portal.service.ts';
import { reserveCheckout } from './reserve-checkout.service.ts';

/**
 * Attempts to open a session. An attempt fails if the session of the stored checkout has expired or was paid, or if its
 * idempotency key was sent with other parameters.
 */
const MAX_ATTEMPTS = 5;

/**
 * The page where a subject gets a plan: Stripe's checkout page, the page of an open invoice, or the portal. Only a
 * customer without a subscription to a plan, or with one that can be replaced, gets a checkout: a second subscription
 * would charge them twice.
 *
 * @throws Refusal as its route declares; `busy` after `MAX_ATTEMPTS`
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
  const { subject, portalReturnUrl: returnUrl } = order;
  const next = await findDestination(backend, subject.customerId, stripeCustomerId);
  if (next.kind === 'invoice') return next.page;
  if (next.kind === 'checkout') {
    const cart = await makeCart(backend, order, stripeCustomerId, next.replaces);
    const page = await openCheckoutPage(backend, { ...order, stripeCustomerId, cart });
    if (page !== 'plan_bought') return page;
  }
  // The customer already has a running subscription, so this request opens the portal instead of a checkout.
  return createPortalSession(backend, subject, stripeCustomerId, { returnUrl });
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

/**
 * Opens the page of the customer's one checkout. Concurrent requests share an idempotency key and so get the same
 * session. A later request for the same cart continues that session. The pages of replaced checkouts are expired first,
 * so that only one page can be paid.
 *
 * @returns `plan_bought` if one of the customer's checkouts was paid in the meantime, so that a second one must not be
 *   paid
 */
async function openCheckoutPage(
  backend: Backend,
  prepared: PreparedCheckout,
): Promise<StripePage | 'plan_bought'> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { checkout, replaced } = await reserveCheckout(backend, prepared);
    if (await hasBoughtPlan(backend, prepared, replaced)) return 'plan_bought';

    const session = await ensureCheckoutSession(backend, prepared, checkout);
    if (session !== 'params_changed') {
      if (session.status === 'open' && session.url !== null) return { url: session.url, id: session.id };
      if (await hasBoughtPlan(backend, prepared, [session.status])) return 'plan_bought';
    }
    await forgetCheckout(backend.db, prepared.subject.customerId, checkout.key);
  }
  throw refuse('busy');
}

/**
 * True if one of the sessions is complete and the customer has a subscription that cannot be replaced. False if the
 * paid subscription has ended since: the customer can then buy again.
 */
async function hasBoughtPlan(
  backend: Backend,
  { subject, stripeCustomerId }: PreparedCheckout,
  statuses: readonly CheckoutStatus[],
): Promise<boolean> {
  if (!statuses.includes('complete')) return false;
  return (await findDestination(backend, subject.customerId, stripeCustomerId)).kind !== 'checkout';
}
