import { hasCode } from '../../common/error-code.ts';
import { Refusal, refusal } from '../../refusals/refusals.ts';

/** Errors that count as an outage of Stripe. https://docs.stripe.com/error-handling */
const TRANSIENT = new Set(['StripeConnectionError', 'StripeAPIError', 'StripeRateLimitError']);

/** Status of Stripe's answer while another call with the same idempotency key is running. */
const IN_PROGRESS = 409;

/**
 * @throws Refusal `billing_unavailable` if Stripe is down, is slow or limits the rate, or if another call with the same
 *   idempotency key is running
 * @throws every other error of the calls, unchanged
 */
export async function withStripeRefusals<Value>(calls: () => Promise<Value>): Promise<Value> {
  try {
    return await calls();
  } catch (error) {
    if (error instanceof Refusal || !isTransient(error)) throw error;
    throw refusal('billing_unavailable', {}, { cause: error });
  }
}

function isTransient(error: unknown): boolean {
  return TRANSIENT.has(typeOf(error)) || isInProgress(error);
}

function isInProgress(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && error.statusCode === IN_PROGRESS;
}

/**
 * True if the idempotency key was sent before with other parameters. https://docs.stripe.com/api/idempotent_requests
 */
export function wasKeyUsedWithOtherParams(error: unknown): boolean {
  return typeOf(error) === 'StripeIdempotencyError' && !isInProgress(error);
}

/**
 * True if Stripe may have stored this error for the idempotency key. Then a later call with the same key gets the error
 * again, for a day. So the next call needs another key. Stripe can store every answer except 409 and the rate limit.
 * https://docs.stripe.com/api/idempotent_requests
 */
export function needsNewKeyAfter(error: unknown): boolean {
  const isAnswer = error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';
  return isAnswer && !isInProgress(error) && typeOf(error) !== 'StripeRateLimitError';
}

/**
 * True if a payment was declined, or needs a confirmation of the customer. https://docs.stripe.com/error-handling#payment-errors
 */
export function isPaymentFailure(error: unknown): boolean {
  return typeOf(error) === 'StripeCardError';
}

/** True if the same call would fail again, because Stripe rejects its content. */
export function isInvalidRequest(error: unknown): boolean {
  return typeOf(error) === 'StripeInvalidRequestError';
}

/**
 * True if an object does not exist at Stripe. https://docs.stripe.com/error-codes#resource-missing
 *
 * @param parameter the parameter of the call that names the object; by default any parameter
 */
export function isMissing(error: unknown, parameter?: string): boolean {
  if (!isInvalidWith(error, 'resource_missing')) return false;
  return parameter === undefined || (error as { param?: unknown }).param === parameter;
}

/** Undefined if the object does not exist at Stripe. */
export async function unlessMissing<Value>(retrieve: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await retrieve();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** https://docs.stripe.com/error-codes#email-invalid */
export function isEmailInvalid(error: unknown): boolean {
  return isInvalidWith(error, 'email_invalid');
}

/** True if Stripe refuses a refund because the charge was already refunded or disputed. */
export function isAlreadyReversed(error: unknown): boolean {
  return isInvalidWith(error, 'charge_already_refunded') || isInvalidWith(error, 'charge_disputed');
}

/**
 * The refusal for a checkout session that Stripe rejects because of the customer's choice.
 *
 * @param currency the currency that the customer chose, if any
 * @returns Refusal `promotion_code_invalid`, `currency_in_use`; undefined for every other error
 */
export function checkoutRefusal(error: unknown, currency?: string): Refusal | undefined {
  if (isPromotionCodeRejected(error)) return refusal('promotion_code_invalid');
  const inUse = currencyInUse(error);
  // Stripe requires a currency. If the customer has chosen exactly this one, no other choice helps: the price at Stripe
  // lacks the currency, although our settings have it. So this is no refusal. An operator must repair the price.
  if (inUse === undefined || inUse === currency) return undefined;
  return refusal('currency_in_use', { currency: inUse.toUpperCase() });
}

/**
 * Example: the code is for a first payment only. Stripe does not name a parameter in every such error.
 * https://docs.stripe.com/error-codes#promotion-code-customer-not-first-time
 */
function isPromotionCodeRejected(error: unknown): boolean {
  if (!isInvalidRequest(error)) return false;
  const { code, param } = error as { code?: unknown; param?: unknown };
  const isOfCode = typeof code === 'string' && /^(?:promotion_code|coupon)_/.test(code);
  return isOfCode || (typeof param === 'string' && param.startsWith('discounts'));
}

/** True if Stripe refuses a change of a subscription because a schedule manages the subscription. */
export function isRefusedForSchedule(error: unknown): boolean {
  return isInvalidRequest(error) && error instanceof Error && /\bschedule\b/i.test(error.message);
}

/** True if Stripe rejects a price or a discount of a phase of a schedule. Example: the coupon was deleted. */
export function isPhaseRejected(error: unknown): boolean {
  if (!(error instanceof Error) || !isInvalidRequest(error)) return false;
  const { param } = error as { param?: unknown };
  const namesPart = typeof param === 'string' && /^phases\b.*\[(?:price|discounts)\]/.test(param);
  return namesPart || /^No such (?:coupon|discount|promotion code)\b/.test(error.message);
}

/**
 * Stripe's messages for a session whose currency differs from that of the customer's subscription. Stripe sends no
 * error code with these messages. The second message is for a session without a chosen currency.
 */
const OTHER_CURRENCY =
  /^(?:You cannot combine currencies on a single customer\b.* currency |The price specified only supports .* expected currency: `)([a-z]{3})\b/i;

/** The only currency that Stripe accepts for the customer, such as `eur`. */
function currencyInUse(error: unknown): string | undefined {
  if (!(error instanceof Error) || !isInvalidRequest(error)) return undefined;
  return OTHER_CURRENCY.exec(error.message)?.[1]?.toLowerCase();
}

function isInvalidWith(error: unknown, code: string): boolean {
  return isInvalidRequest(error) && hasCode(error, code);
}

/** The SDK is loaded at its first use, so errors are recognized by `type` and not by class. */
function typeOf(error: unknown): string {
  return error instanceof Error && 'type' in error ? String(error.type) : '';
}
