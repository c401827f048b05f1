import { ApiError } from '../../api/errors.ts';
import { couponFor } from '../../billing/discounts/discounts.ts';
import type { DiscountRequest } from '../../billing/discounts/discounts.ts';
import { byId } from '../../objects.ts';
import type { CheckoutSession } from '../../objects.ts';
import { findCode } from '../../resources/catalogue/promotion-codes.ts';
import { quantityLimits, requestOf, saveCheckout } from '../../resources/checkout/checkout-totals.ts';
import type { Checkout } from '../../resources/checkout/checkout-totals.ts';
import type { Scope } from '../../world.ts';
import { checkCard } from '../card-check.ts';
import { authenticationPage } from '../card-fields.tsx';
import { notice, seeOther } from '../page.tsx';
import { checkoutPage, wantsCard } from './checkout-page.tsx';
import { completeCheckout } from './complete.ts';
import { detailsProblem, knownCustomer, readDetails, typedDetails } from './details.ts';
import { failPayment } from './pay-once.ts';

const NOTHING_TYPED = new URLSearchParams();

/** `GET /c/pay/:id`: the plan, its price, the payer, and buttons to pay or cancel. */
export function showCheckout(scope: Scope, id: string): Response {
  const found = openSession(scope, id, 200);
  return found instanceof Response
    ? found
    : checkoutPage(200, { scope, open: found, form: NOTHING_TYPED, problem: null });
}

/** `POST /c/pay/:id`: pays, then goes to the success page. A second payment changes nothing. */
export function payCheckout(scope: Scope, id: string, form: URLSearchParams): Response {
  const found = openSession(scope, id, 409);
  if (found instanceof Response) return found;
  const { session } = found;
  const values = typedDetails(scope, session, form);
  const problem = detailsProblem(session, values);
  if (problem) return checkoutPage(400, { scope, open: found, form, problem });
  const payer = readDetails(session, values);
  if (!wantsCard(session)) {
    completeCheckout(scope, found, payer, null);
    return seeOther(successUrl(scope, session));
  }
  const card = checkCard(scope, form, (session.amount_total ?? 0) > 0);
  if (card.kind === 'refused') {
    if (card.declined && session.mode === 'payment') failPayment(scope, found, payer, card.declined);
    return checkoutPage(card.status, { scope, open: found, form, problem: card.problem });
  }
  if (card.kind === 'authenticate') return authenticationPage(`/c/pay/${id}`, form, [session.success_url]);
  completeCheckout(scope, found, payer, card);
  return seeOther(successUrl(scope, session));
}

/** `POST /c/pay/:id/promotion-code`: takes a code, or (without one) takes it back. */
export function applyCode(scope: Scope, id: string, form: URLSearchParams): Response {
  const found = openSession(scope, id, 409);
  if (found instanceof Response) return found;
  const { session, details } = found;
  const typed = form.get('promotion_code')?.trim() ?? '';
  const code = findCode(scope.state, typed, session.customer);
  const usable = code ? holds(scope, session, { promotion_code: code.id }) : typed === '';
  if (!session.allow_promotion_codes || !usable) {
    const problem = { field: 'promotion_code', message: 'This code is invalid.' };
    return checkoutPage(400, { scope, open: found, form, problem });
  }
  const discounts = code ? [{ coupon: null, promotion_code: code.id }] : [];
  saveCheckout(scope, { session: { ...session, discounts }, details });
  return seeOther(session.url ?? '');
}

/** `POST /c/pay/:id/quantity`: changes a quantity within the bounds of the session. */
export function adjustQuantity(scope: Scope, id: string, form: URLSearchParams): Response {
  const found = openSession(scope, id, 409);
  if (found instanceof Response) return found;
  const { session, details } = found;
  const item = byId(details.lineItems, form.get('item') ?? '');
  const { least, most } = quantityLimits(item);
  const quantity = Number(form.get('quantity'));
  if (!item || !Number.isInteger(quantity) || quantity < least || quantity > most) {
    const message = `Please choose from ${least} to ${most}.`;
    const problem = { field: 'quantity', message };
    return checkoutPage(400, { scope, open: found, form, problem });
  }
  const lineItems = details.lineItems.map((row) => (row === item ? { ...row, quantity } : row));
  saveCheckout(scope, { session, details: { ...details, lineItems } });
  return seeOther(session.url ?? '');
}

/** @param paidStatus the HTTP status for a session that is paid already */
function openSession(scope: Scope, id: string, paidStatus: number): Checkout | Response {
  const { state } = scope;
  const session = state.checkoutSessions.get(id);
  const details = state.checkoutDetails.get(id);
  if (!session || !details) {
    return notice(404, 'No such checkout', 'Check the link: this checkout page does not exist.', null);
  }
  if (session.status === 'complete') return alreadyPaid(scope, session, paidStatus);
  if (session.status === 'expired') {
    const link = session.cancel_url === null ? null : { href: session.cancel_url, text: 'Go back' };
    const message = 'Go back and start again. You have not been charged.';
    return notice(410, 'This checkout has expired', message, link);
  }
  if (session.customer !== null && !state.customers.get(session.customer)) {
    const message = 'Its customer was deleted. You have not been charged.';
    return notice(410, 'This checkout has ended', message, null);
  }
  return withoutStaleDiscounts(scope, { session, details });
}

/** A coupon may have run out since the session was made, or since its code was typed. */
function withoutStaleDiscounts(scope: Scope, { session, details }: Checkout): Checkout {
  const given = session.discounts ?? [];
  const discounts = given.filter((discount) => holds(scope, session, requestOf(discount)));
  if (discounts.length === given.length) return { session, details };
  return saveCheckout(scope, { session: { ...session, discounts }, details });
}

function holds(scope: Scope, session: CheckoutSession, request: DiscountRequest): boolean {
  try {
    couponFor(scope, request, { customer: knownCustomer(scope, session) ?? null, param: 'discounts' });
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Where a paid session leads to: without a URL of its own, back to its page. */
function successUrl({ origin }: Scope, { success_url: url, id }: CheckoutSession): string {
  return new URL((url ?? `${origin}/c/pay/${id}`).replaceAll('{CHECKOUT_SESSION_ID}', id)).href;
}

/** The page of a paid session, which no longer takes money. */
function alreadyPaid(scope: Scope, session: CheckoutSession, status: number): Response {
  const link = scope.state.paymentLinks.get(session.payment_link ?? '');
  if (session.success_url === null) {
    const message = link?.after_completion.hosted_confirmation?.custom_message;
    return notice(status, 'Thanks for your payment', message ?? 'A payment was made.', null);
  }
  const next = { href: successUrl(scope, session), text: 'Continue' };
  return notice(status, 'Already paid', 'This checkout is complete. You have not been charged again.', next);
}
