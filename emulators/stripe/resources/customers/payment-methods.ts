import { cardError, InvalidParameter, noSuchObject, noSuchReference, notAllowed } from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { operation } from '../../api/operation.ts';
import { clearable, metadata, names, required, text } from '../../api/parameters/params.ts';
import { saveOutcome } from '../../billing/cards.ts';
import { attachMethod, detachMethod } from '../../billing/payment-methods.ts';
import type { Customer, PaymentMethod } from '../../objects.ts';
import { inTimeOf, update } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { referencedCustomer, requestedCustomer } from './customer-object.ts';
import { allowRedisplay, createMethodOperation, requestedMethod, type } from './payment-method-create.ts';

const LIST = { url: '/v1/payment_methods', noun: 'PaymentMethod' };

/** The payment method that a parameter names; it must be the customer's. */
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

/** Gives a payment method to a customer; a card that the bank refuses to save is an error. */
export function attach(scope: Scope, id: string, customer: Customer): PaymentMethod {
  const method = requestedMethod(scope, id);
  if (method.customer === customer.id) return method;
  if (method.customer !== null) {
    throw notAllowed('The payment method you provided has already been attached to a customer.');
  }
  const declined = saveOutcome(scope.state.cardNumbers.get(method.id)?.number ?? '');
  if (declined) throw cardError(declined);
  return attachMethod(scope, method, customer);
}

/** https://docs.stripe.com/api/payment_methods */
export const paymentMethodOperations = [
  createMethodOperation,
  operation({
    method: 'GET',
    path: '/v1/payment_methods',
    params: { ...pageParams, customer: text(), type, allow_redisplay: allowRedisplay },
    unsupported: ['customer_account'],
    run: ({ scope, params: { customer = '', type: kind, allow_redisplay: redisplay, ...paging } }) =>
      // Without a customer, Stripe lists the account's own; here there are none.
      listOf(scope, { customer, kind, redisplay }, paging, LIST.url),
  }),
  operation({
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    params: { ...pageParams, type, allow_redisplay: allowRedisplay },
    run: ({ scope, id: customer, params: { type: kind, allow_redisplay: redisplay, ...paging } }) => {
      requestedCustomer(scope, customer);
      const url = `/v1/customers/${customer}/payment_methods`;
      return listOf(scope, { customer, kind, redisplay }, paging, url);
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
      return detachMethod(scope, method);
    },
  }),
];

interface MethodFilter {
  customer: string;
  kind: string | undefined;
  redisplay: string | undefined;
}

function listOf(
  { state }: World,
  { customer, kind, redisplay }: MethodFilter,
  paging: Parameters<typeof page>[2],
  url: string,
): object {
  return page(
    state.paymentMethods,
    (method) =>
      method.customer === customer &&
      (kind === undefined || method.type === kind) &&
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
