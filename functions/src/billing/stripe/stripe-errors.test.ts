import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { refuse } from '../../refusals.ts';
import { guardStripe, isEmailRefused, isMissing } from './stripe-errors.ts';

const { errors } = Stripe;
const raw = (rest: object) => ({ type: 'api_error', message: 'sk_test_secret', ...rest }) as never;

test.each<[what: string, error: Error, status: number | undefined]>([
  ['a lost connection', new errors.StripeConnectionError(raw({})), 503],
  ['a failure of Stripe', new errors.StripeAPIError(raw({ statusCode: 500 })), 503],
  ['too many calls', new errors.StripeRateLimitError(raw({ statusCode: 429 })), 503],
  ['a call that is still under way', new errors.StripeIdempotencyError(raw({ statusCode: 409 })), 503],
  ['a call that is wrong', new errors.StripeInvalidRequestError(raw({ statusCode: 400 })), undefined],
  ['a wrong key', new errors.StripeAuthenticationError(raw({ statusCode: 401 })), undefined],
  ['our own refusal', refuse('not_found'), 404],
])('%s becomes %s for the caller, without its words', async (_what, error, status) => {
  const thrown: unknown = await guardStripe(() => Promise.reject(error)).catch((caught: unknown) => caught);
  if (status === undefined) expect(thrown).toBe(error);
  else expect(thrown).toMatchObject({ status, message: expect.not.stringContaining('sk_') as string });
});

test('what Stripe does not know is told apart by its parameter', () => {
  const missing = (param: string) =>
    new errors.StripeInvalidRequestError(raw({ code: 'resource_missing', param }));
  expect(isMissing(missing('customer'), 'customer')).toBe(true);
  expect(isMissing(missing('line_items[0][price]'), 'customer')).toBe(false);
  expect(isMissing(missing('id'))).toBe(true);
  expect(isMissing(new errors.StripeInvalidRequestError(raw({ code: 'parameter_unknown' })))).toBe(false);
});

test('an address that Stripe refuses is told apart from other refusals', () => {
  const refusal = (code: string) => new errors.StripeInvalidRequestError(raw({ code, param: 'email' }));
  expect(isEmailRefused(refusal('email_invalid'))).toBe(true);
  expect(isEmailRefused(refusal('parameter_invalid_empty'))).toBe(false);
});
