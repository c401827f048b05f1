import { hasCode } from '../../common/error-code.ts';
import { Refusal, refuse } from '../../refusals.ts';

/** Types of the SDK's errors after which the same call may succeed later. https://docs.stripe.com/error-handling */
const PASSING = new Set(['StripeConnectionError', 'StripeAPIError', 'StripeRateLimitError']);

/** Runs calls to Stripe; when Stripe is down, slow or refuses for its load, the caller gets 503. */
export async function guardStripe<Value>(calls: () => Promise<Value>): Promise<Value> {
  try {
    return await calls();
  } catch (error) {
    if (error instanceof Refusal || !isPassing(error)) throw error;
    throw refuse('billing_unavailable', {}, { cause: error });
  }
}

/** Whoever has sent a call with the same idempotency key is still waiting, longer than the SDK tries again. */
const IN_PROGRESS = 409;

function isPassing(error: unknown): boolean {
  return PASSING.has(typeOf(error)) || isInProgress(error);
}

function isInProgress(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && error.statusCode === IN_PROGRESS;
}

/** Whether the idempotency key came before with other parameters. https://docs.stripe.com/api/idempotent_requests */
export function isKeySpent(error: unknown): boolean {
  return typeOf(error) === 'StripeIdempotencyError' && !isInProgress(error);
}

/** Whether Stripe refuses a call as it stands: asked again it would say the same. */
export function isRefusal(error: unknown): boolean {
  return typeOf(error) === 'StripeInvalidRequestError';
}

/** What has ended before it could be ended is as good as ended by us. */
export async function ifStillThere(end: Promise<unknown>): Promise<void> {
  try {
    await end;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

/** Whether Stripe knows nothing by the id, or by that of one parameter. https://docs.stripe.com/error-codes#resource-missing */
export function isMissing(error: unknown, parameter?: string): boolean {
  if (!isRefusedWith(error, 'resource_missing')) return false;
  return parameter === undefined || (error as { param?: unknown }).param === parameter;
}

/** Whether Stripe takes an e-mail address for none. https://docs.stripe.com/error-codes#email-invalid */
export function isEmailRefused(error: unknown): boolean {
  return isRefusedWith(error, 'email_invalid');
}

function isRefusedWith(error: unknown, code: string): boolean {
  return isRefusal(error) && hasCode(error, code);
}

/** The SDK is loaded when first used, so its error classes are known here by their `type` only. */
function typeOf(error: unknown): string {
  return error instanceof Error && 'type' in error ? String(error.type) : '';
}
