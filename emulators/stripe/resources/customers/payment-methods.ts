import {
  cardError,
  InvalidParameter,
  missingParameter,
  noSuchObject,
  noSuchReference,
  notAllowed,
} from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { operation } from '../../api/operation.ts';
import {
  builtOf,
  clearable,
  integer,
  metadata,
  names,
  oneOf,
  required,
  shape,
  text,
} from '../../api/parameters/params.ts';
import { cardNumber, saveOutcome } from '../../billing/cards.ts';
import { attachCard, createCard, detachCard } from '../../billing/payment-methods.ts';
import type { Customer, PaymentMethod } from '../../objects.ts';
import { inTimeOf, update } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { referencedCustomer, requestedCustomer } from './customer-object.ts';

const LIST = { url: '/v1/payment_methods', noun: 'PaymentMethod' };
const allowRedisplay = oneOf('always', 'limited', 'unspecified');

const card = shape(
  { number: text(), exp_month: integer(1, 12), exp_year: integer(2000, 2100), cvc: text(4), token: text() },
  ['networks'],
);

const OTHER_TYPES = names(`
  acss_debit affirm afterpay_clearpay alipay alma amazon_pay au_becs_debit bacs_debit bancontact
  billie bizum blik boleto cashapp crypto custom customer_balance eps fpx giropay grabpay ideal
  kakao_pay klarna konbini kr_card link mb_way mobilepay multibanco naver_pay nz_bank_account oxxo
  p24 pay_by_bank payco paynow paypal paypay payto pix promptpay revolut_pay samsung_pay satispay
  scalapay sepa_debit sequra sofort sunbit swish twint upi us_bank_account wechat_pay zip
`);
const type = builtOf(['card'], OTHER_TYPES);

/** The card that a parameter names; it must be the customer's. */
export function referencedMethod(
  { state }: World,
  id: string,
  customer: Pick<Customer, 'id'>,
  param: string,
): PaymentMethod {
  const method = state.paymentMethods.get(id);
  if (!method) throw noSuchReference('PaymentMethod', id, param);
  if (method.customer !== customer.id) {
    throw new InvalidParameter(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      param,
    );
  }
  return method;
}

/** `pm_card_visa` and similar ids make a new card each time that they are used. */
function requestedMethod(scope: Scope, id: string): PaymentMethod {
  const method = scope.state.paymentMethods.get(id);
  if (method) return method;
  const number = id.startsWith('pm_card_') ? cardNumber(id.slice('pm_card_'.length)) : undefined;
  if (number === undefined) throw noSuchObject('PaymentMethod', id);
  return createCard(scope, number);
}

function methodFrom(
  scope: Scope,
  given: { number?: string | undefined; token?: string | undefined },
): PaymentMethod {
  const { number, token } = given;
  const known = cardNumber(number ?? token?.replace(/^tok_/, '') ?? '');
  if (number === undefined && token === undefined) throw missingParameter('card[number]');
  if (known === undefined) {
    throw cardError({
      code: 'incorrect_number',
      message: 'Your card number is incorrect. The local Stripe takes test cards only.',
    });
  }
  return createCard(scope, known);
}

/** Gives a card to a customer; one that the bank refuses to save is an error. */
export function attach(scope: Scope, id: string, customer: Customer): PaymentMethod {
  const method = requestedMethod(scope, id);
  if (method.customer === customer.id) return method;
  if (method.customer !== null) {
    throw notAllowed('The payment method you provided has already been attached to a customer.');
  }
  const declined = saveOutcome(scope.state.cardNumbers.get(method.id)?.number ?? '');
  if (declined) throw cardError(declined);
  return attachCard(scope, method, customer);
}

/** https://docs.stripe.com/api/payment_methods */
export const paymentMethodOperations = [
  operation({
    method: 'POST',
    path: '/v1/payment_methods',
    params: {
      allow_redisplay: allowRedisplay,
      card: required(card),
      metadata: metadata(),
      type: required(type),
    },
    unsupported: [
      ...OTHER_TYPES,
      'billing_details',
      'customer',
      'interac_present',
      'payment_method',
      'radar_options',
    ],
    run: ({ scope, params: { allow_redisplay: redisplay, card: given, metadata: patch } }) => {
      const { card: known, id } = methodFrom(scope, given);
      const { exp_month: month = known.exp_month, exp_year: year = known.exp_year } = given;
      return scope.state.paymentMethods.patch(id, {
        allow_redisplay: redisplay ?? 'unspecified',
        card: { ...known, exp_month: month, exp_year: year },
        metadata: mergeMetadata({}, patch),
      });
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/payment_methods',
    params: { ...pageParams, customer: text(), type, allow_redisplay: allowRedisplay },
    unsupported: ['customer_account'],
    run: ({ scope, params: { customer, allow_redisplay: redisplay, ...paging } }) =>
      listOf(scope, customer, redisplay, paging, LIST.url),
  }),
  operation({
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    params: { ...pageParams, type, allow_redisplay: allowRedisplay },
    run: ({ scope, id, params: { allow_redisplay: redisplay, ...paging } }) => {
      requestedCustomer(scope, id);
      return listOf(scope, id, redisplay, paging, `/v1/customers/${id}/payment_methods`);
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/payment_methods/:id',
    params: {},
    run: ({ scope, id }) => existingMethod(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/payment_methods/:id',
    params: { allow_redisplay: allowRedisplay, metadata: clearable(metadata()) },
    unsupported: names('billing_details card us_bank_account'),
    run: ({ scope, id, params: { allow_redisplay: redisplay, metadata: patch } }) => {
      const method = existingMethod(scope, id);
      return update(scope, 'payment_method.updated', method, {
        allow_redisplay: redisplay ?? method.allow_redisplay ?? 'unspecified',
        metadata: mergeMetadata(method.metadata ?? {}, patch),
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/payment_methods/:id/attach',
    params: { customer: required(text()) },
    unsupported: ['customer_account'],
    run: ({ scope, id, params }) => {
      const customer = referencedCustomer(scope, params.customer);
      return attach(inTimeOf(scope, customer), id, customer);
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/payment_methods/:id/detach',
    params: {},
    run: ({ scope, id }) => {
      const method = existingMethod(scope, id);
      if (method.customer === null) {
        throw notAllowed(
          'The payment method you provided is not attached to a customer so detachment is impossible.',
        );
      }
      return detachCard(scope, method);
    },
  }),
];

function listOf(
  { state }: World,
  customer: string | undefined,
  redisplay: string | undefined,
  paging: Parameters<typeof page>[2],
  url: string,
): object {
  return page(
    state.paymentMethods,
    (method) =>
      // Without a customer, Stripe lists the account's own; here there are none.
      method.customer === (customer ?? '') &&
      (redisplay === undefined || method.allow_redisplay === redisplay),
    paging,
    { ...LIST, url },
  );
}

function existingMethod({ state }: World, id: string): PaymentMethod {
  const method = state.paymentMethods.get(id);
  if (!method) throw noSuchObject('PaymentMethod', id);
  return method;
}
