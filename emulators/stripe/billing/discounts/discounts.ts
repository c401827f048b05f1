import { InvalidParameter, noSuchReference } from '../../api/errors.ts';
import type {
  Coupon,
  Customer,
  Discount,
  Invoice,
  InvoiceLine,
  Metadata,
  PromotionCode,
  Subscription,
} from '../../objects.ts';
import type { Store } from '../../store/store.ts';
import { emit, newId, update } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { addInterval } from '../calendar.ts';
import { takenOff } from './discount-math.ts';

/** A coupon or promotion code, by id. */
export interface DiscountRequest {
  coupon?: string | null | undefined;
  promotion_code?: string | null | undefined;
}

/** A coupon as it is stored. */
export function newCoupon(given: {
  id: string;
  created: number;
  currency?: string | null;
  duration: 'forever' | 'once' | 'repeating';
  duration_in_months?: number | null;
  percent_off?: number | null;
  amount_off?: number | null;
  max_redemptions?: number | null;
  metadata?: Metadata;
  name?: string | null;
  redeem_by?: number | null;
}): Coupon {
  return {
    object: 'coupon',
    amount_off: null,
    currency: null,
    duration_in_months: null,
    livemode: false,
    max_redemptions: null,
    metadata: {},
    name: null,
    percent_off: null,
    redeem_by: null,
    times_redeemed: 0,
    valid: true,
    ...given,
  };
}

/**
 * The coupon of a request. Throws InvalidParameter if it cannot be used.
 * @param customer null while the customer is unknown
 */
export function couponFor(
  { state }: World,
  request: DiscountRequest,
  { customer, param }: { customer: Customer | null; param: string },
): { coupon: Coupon; code: PromotionCode | null } {
  const { promotion_code: promotion } = request;
  const code = promotion ? state.promotionCodes.get(promotion) : undefined;
  if (promotion && !code) throw noSuchReference('promotion code', promotion, `${param}[promotion_code]`);
  if (code) assertUsable(state, code, customer, param);
  const id = code?.promotion.coupon ?? request.coupon ?? '';
  const coupon = state.coupons.get(id);
  if (!coupon) throw noSuchReference('coupon', id, `${param}[coupon]`);
  if (!coupon.valid)
    throw new InvalidParameter(`Coupon expired: ${id}`, `${param}[coupon]`, 'coupon_expired');
  return { coupon, code: code ?? null };
}

function assertUsable(state: Store, code: PromotionCode, customer: Customer | null, param: string): void {
  const refuse = (why: string): never => {
    throw new InvalidParameter(`This promotion code ${why}.`, `${param}[promotion_code]`);
  };
  if (!code.active) refuse('is no longer active');
  if (code.customer !== null && code.customer !== customer?.id) refuse('is not for this customer');
  const paid = state.invoices.some(
    ({ customer: owner, amount_paid: amount }) => owner === customer?.id && amount > 0,
  );
  if (code.restrictions.first_time_transaction && paid) refuse('is for a first purchase only');
}

/** Redeems coupons and promotion codes for a subscription. */
export function redeem(
  scope: Scope,
  requests: readonly DiscountRequest[],
  customer: Customer,
  { subscription, session }: { subscription: string | null; session: string | null },
): Discount[] {
  return requests.map((request, index) => {
    const { coupon, code } = couponFor(scope, request, { customer, param: `discounts[${index}]` });
    const discount = scope.state.discounts.insert({
      ...newDiscount(scope, coupon, code, customer),
      subscription,
      checkout_session: session,
    });
    countRedemption(scope, coupon, code);
    emit(scope, 'customer.discount.created', discount);
    return discount;
  });
}

function newDiscount(scope: Scope, coupon: Coupon, code: PromotionCode | null, customer: Customer): Discount {
  const now = scope.now();
  const months = coupon.duration === 'repeating' ? coupon.duration_in_months : null;
  return {
    id: newId('di'),
    object: 'discount',
    checkout_session: null,
    customer: customer.id,
    customer_account: null,
    end: months === null ? null : addInterval(now, 'month', months),
    invoice: null,
    invoice_item: null,
    promotion_code: code?.id ?? null,
    source: { coupon: coupon.id, type: 'coupon' },
    start: now,
    subscription: null,
    subscription_item: null,
  };
}

/** Counts one use of a coupon and of its code. The last use that is allowed ends them. */
export function countRedemption({ state }: Scope, { id }: Coupon, code: PromotionCode | null): void {
  const coupon = state.coupons.get(id);
  if (coupon) {
    const used = coupon.times_redeemed + 1;
    const valid = coupon.valid && used < (coupon.max_redemptions ?? Infinity);
    state.coupons.patch(id, { times_redeemed: used, valid });
  }
  if (code) countCode(state, code);
}

function countCode(state: Store, given: PromotionCode): void {
  const { id, active, max_redemptions: most, times_redeemed: before } = state.promotionCodes.latest(given);
  const used = before + 1;
  state.promotionCodes.patch(id, { times_redeemed: used, active: active && used < (most ?? Infinity) });
}

/** The discounts of a subscription that apply at a time, with their coupons. */
export function discountsOf(
  { state }: World,
  { discounts }: Pick<Subscription, 'discounts'>,
  now: number,
): { discount: Discount; coupon: Coupon }[] {
  return discounts.flatMap((id) => {
    const discount = state.discounts.get(id);
    const coupon =
      discount &&
      (state.coupons.get(discount.source.coupon) ?? state.deletedCoupons.get(discount.source.coupon));
    return coupon && (discount.end === null || now < discount.end) ? [{ discount, coupon }] : [];
  });
}

/**
 * Takes the discounts of a subscription or a purchase off a draft.
 * @returns the draft with them; the caller stores it
 */
export function discountInvoice(
  scope: Scope,
  discounted: Pick<Subscription, 'discounts'>,
  invoice: Invoice,
): Invoice {
  const applied = discountsOf(scope, discounted, scope.now());
  const amounts = invoice.lines.data.map(({ amount, discountable }) => (discountable ? amount : 0));
  const taken = takenOff(
    amounts,
    applied.map(({ coupon }) => coupon),
  );
  const sums = taken.map((parts) => parts.reduce((sum, amount) => sum + amount, 0));
  const credits = (parts: readonly number[]) =>
    applied.map(({ discount }, index) => ({ amount: parts[index] ?? 0, discount: discount.id }));
  const data = invoice.lines.data.map((line, index) =>
    line.discountable ? discountedLine(line, credits(taken.map((parts) => parts[index] ?? 0))) : line,
  );
  const total = invoice.subtotal - sums.reduce((sum, amount) => sum + amount, 0);
  return {
    ...invoice,
    amount_due: Math.max(0, total),
    amount_remaining: Math.max(0, total),
    discounts: applied.map(({ discount }) => discount.id),
    lines: { ...invoice.lines, data },
    total,
    total_discount_amounts: credits(sums),
    total_excluding_tax: total,
    total_pretax_credit_amounts: credits(sums).map((credit) => ({ ...credit, type: 'discount' as const })),
  };
}

function discountedLine(line: InvoiceLine, credits: { amount: number; discount: string }[]): InvoiceLine {
  return {
    ...line,
    discount_amounts: credits,
    pretax_credit_amounts: credits.map((credit) => ({ ...credit, type: 'discount' })),
  };
}

/** Ends the discounts that apply once and were used by this invoice. */
export function useUp(
  scope: Scope,
  subscription: Subscription,
  { total_discount_amounts: taken }: Invoice,
): void {
  for (const { discount, coupon } of discountsOf(scope, subscription, scope.now())) {
    const used = taken?.some((row) => row.discount === discount.id && row.amount > 0);
    if (coupon.duration === 'once' && used) endDiscount(scope, subscription, discount);
  }
}

/** Removes a discount from its subscription. */
export function endDiscount(scope: Scope, given: Subscription, discount: Discount): void {
  const subscription = scope.state.subscriptions.latest(given);
  const discounts = subscription.discounts.filter((id) => id !== discount.id);
  update(scope, 'customer.subscription.updated', subscription, { discounts });
  emit(scope, 'customer.discount.deleted', { ...discount, end: discount.end ?? scope.now() });
}

/** The share of a price that is left after percentage discounts. Prorations are net of discounts. */
export function netShare(scope: World, subscription: Subscription, now: number): number {
  return discountsOf(scope, subscription, now).reduce(
    (share, { coupon }) => share * (1 - (coupon.percent_off ?? 0) / 100),
    1,
  );
}
