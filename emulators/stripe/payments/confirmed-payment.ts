import { cardError, noSuchReference, unsupportedParameter } from '../api/errors.ts';
import { mergeMetadata } from '../api/metadata.ts';
import { operation } from '../api/operation.ts';
import { flag, integer, metadata, names, required, text } from '../api/parameters/params.ts';
import { charge } from '../billing/payment-methods.ts';
import { referencedMethod } from '../resources/customers/payment-methods.ts';
import { createIntent, settleIntent } from './paying.ts';

/** Creates a payment intent that charges a customer's saved card immediately, as a sale by phone does. */
export const confirmedPaymentOperation = operation({
  method: 'POST',
  path: '/v1/payment_intents',
  params: {
    amount: required(integer(1, 99_999_999)),
    confirm: required(flag()),
    currency: required(text(3)),
    customer: required(text()),
    description: text(),
    metadata: metadata(),
    payment_method: required(text()),
  },
  unsupported: names(`
    allowed_payment_method_types amount_details application_fee_amount automatic_payment_methods capture_method
    confirmation_method confirmation_token customer_account error_on_requires_action
    excluded_payment_method_types hooks mandate mandate_data off_session on_behalf_of payment_details
    payment_method_configuration payment_method_data payment_method_options radar_options receipt_email
    return_url setup_future_usage shipping statement_descriptor statement_descriptor_suffix transfer_data
    transfer_group use_stripe_sdk
  `),
  run: ({ scope, params: { amount, confirm, currency, customer, description, ...params } }) => {
    if (!confirm) throw unsupportedParameter('confirm=false');
    if (!scope.state.customers.get(customer)) throw noSuchReference('customer', customer, 'customer');
    const method = referencedMethod(scope, params.payment_method, { id: customer }, 'payment_method');
    const intent = createIntent(scope, {
      amount,
      currency: currency.toLowerCase(),
      customer,
      description: description ?? null,
      metadata: mergeMetadata({}, params.metadata),
      receiptEmail: null,
      setupFutureUsage: null,
      statementDescriptor: null,
    });
    const decline = charge(scope, method, false);
    if (decline === 'pending') throw unsupportedParameter(`payment_method of the type ${method.type}`);
    settleIntent(scope, intent, method, decline);
    if (decline) throw cardError(decline);
    return scope.state.paymentIntents.latest(intent);
  },
});
