import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { refusal } from '../../refusals/refusals.ts';
import {
  withStripeRefusals,
  isEmailInvalid,
  wasKeyUsedWithOtherParams,
  isMissing,
  isPhaseRejected,
  checkoutRefusal,
} from './stripe-errors.ts';

const { errors } = Stripe;
const raw = (rest: object) => ({ type: 'api_error', message: 'sk_test_secret', ...rest }) as never;

test.each<[what: string, error: Error, status: number | undefined]>([
  ['a lost connection', new errors.StripeConnectionError(raw({})), 503],
  ['a failure of Stripe', new errors.StripeAPIError(raw({ statusCode: 500 })), 503],
  ['a rate limit', new errors.StripeRateLimitError(raw({ statusCode: 429 })), 503],
  ['a call in progress', new errors.StripeIdempotencyError(raw({ statusCode: 409 })), 503],
  ['an invalid call', new errors.StripeInvalidRequestError(raw({ statusCode: 400 })), undefined],
  ['a wrong key', new errors.StripeAuthenticationError(raw({ statusCode: 401 })), undefined],
  ['our own refusal', refusal('not_found'), 404],
])('the caller gets for %s the status %s, without the message of Stripe', async (_what, error, status) => {
  const thrown: unknown = await withStripeRefusals(() => Promise.reject(error)).catch(
    (caught: unknown) => caught,
  );
  if (status === undefined) expect(thrown).toBe(error);
  else expect(thrown).toMatchObject({ status, message: expect.not.stringContaining('sk_') as string });
});

test('a missing object is recognized, also by the parameter that names the object', () => {
  const missing = (param: string) =>
    new errors.StripeInvalidRequestError(raw({ code: 'resource_missing', param }));
  expect(isMissing(missing('customer'), 'customer')).toBe(true);
  expect(isMissing(missing('line_items[0][price]'), 'customer')).toBe(false);
  expect(isMissing(missing('id'))).toBe(true);
  expect(isMissing(new errors.StripeInvalidRequestError(raw({ code: 'parameter_unknown' })))).toBe(false);
});

test('an invalid e-mail address is recognized', () => {
  const invalid = (code: string) => new errors.StripeInvalidRequestError(raw({ code, param: 'email' }));
  expect(isEmailInvalid(invalid('email_invalid'))).toBe(true);
  expect(isEmailInvalid(invalid('parameter_invalid_empty'))).toBe(false);
});

test('a reused idempotency key is not mixed up with a key whose call is in progress', () => {
  const idempotency = (statusCode: number) => new errors.StripeIdempotencyError(raw({ statusCode }));
  expect(wasKeyUsedWithOtherParams(idempotency(400))).toBe(true);
  expect(wasKeyUsedWithOtherParams(idempotency(409))).toBe(false);
});

const rejected = (message: string, param?: string) =>
  new errors.StripeInvalidRequestError(raw({ message, param }));

const CANNOT_COMBINE = 'You cannot combine currencies on a single customer. This customer has';
const NOT_EXPECTED =
  "The price specified only supports `usd`. This doesn't match the expected currency: `eur`.";

test.each([
  [
    `${CANNOT_COMBINE} an active subscription, subscription schedule, discount, quote, invoice item or active subscription mode checkout session with currency eur.`,
  ],
  [
    `${CANNOT_COMBINE} an active subscription, subscription schedule, discount, quote, or invoice item with currency eur.`,
  ],
  [`${CANNOT_COMBINE} had a subscription, coupon, or invoice item with currency eur`],
  [NOT_EXPECTED],
])('the error "%s" names the only possible currency', (message) => {
  expect(checkoutRefusal(rejected(message))).toMatchObject({
    code: 'currency_not_offered',
    refusalName: 'currency_in_use',
    values: { currency: 'EUR' },
  });
});

test.each([
  ['an archived price', rejected('The price specified is inactive.', 'phases[0][items][0][price]'), true],
  ['a deleted coupon', rejected("No such coupon: 'WELCOME'", 'phases[1][discounts][0][discount]'), true],
  ['a deleted coupon that only the message names', rejected("No such coupon: 'WELCOME'"), true],
  ['another part of a phase', rejected('It is in the past.', 'phases[0][end_date]'), false],
  ['a missing schedule', rejected("No such subscription_schedule: 'sub_sched_1'", 'id'), false],
  ['an outage', new errors.StripeConnectionError(raw({ message: "No such coupon: 'WELCOME'" })), false],
] satisfies [string, Error, boolean][])(
  'the rejection of %s concerns a price or a discount of a phase: %s',
  (_what, error, expected) => {
    expect(isPhaseRejected(error)).toBe(expected);
  },
);

test('a session with a promotion code that Stripe rejects is refused', () => {
  expect(checkoutRefusal(rejected('It is not active.', 'discounts[0][promotion_code]'))).toMatchObject({
    code: 'promotion_code_invalid',
  });
});

test.each(['promotion_code_customer_not_first_time', 'coupon_expired'])(
  'a session that Stripe rejects with %s is refused, also if the error names no parameter',
  (code) => {
    const error = new errors.StripeInvalidRequestError(raw({ code, message: 'It cannot be redeemed.' }));
    expect(checkoutRefusal(error)).toMatchObject({ code: 'promotion_code_invalid' });
  },
);

test.each([
  ['a price that lacks the chosen currency', rejected(NOT_EXPECTED), 'eur'],
  ['another error', rejected('No such price: price_1', 'line_items[0][price]')],
  ['an outage', new errors.StripeConnectionError(raw({ message: NOT_EXPECTED }))],
  [
    'a missing price',
    new errors.StripeInvalidRequestError(raw({ code: 'resource_missing', param: 'price' })),
  ],
  ['something else', undefined],
] satisfies [string, unknown, string?][])('%s is no refusal', (_what, error, currency?: string) => {
  expect(checkoutRefusal(error, currency)).toBeUndefined();
});
