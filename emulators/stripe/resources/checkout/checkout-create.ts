import { InvalidParameter, unsupportedParameter } from '../../api/errors.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { couponFor } from '../../billing/discounts/discounts.ts';
import type { CheckoutDetails } from '../../hidden-records.ts';
import type { CheckoutSession, Customer } from '../../objects.ts';
import { inTimeOf } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { referencedCustomer } from '../customers/customer-object.ts';
import { readLineItems } from './checkout-items.ts';
import type { CreateParams } from './checkout-params.ts';
import { newCheckoutSession } from './checkout-session-object.ts';
import { priced } from './checkout-totals.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Stripe wants a trial that is given by its end to last a while. */
const SHORTEST_TRIAL = 2 * DAY;

/** The parameters of a session. Without a success_url its page confirms the payment. */
export type SessionParams = Omit<CreateParams, 'success_url'> & { success_url?: string | undefined };

/** An open session whose page sells the line items. */
export function createSession(scope: Scope, params: SessionParams): CheckoutSession {
  assertSupported(params);
  const customer = payer(scope, params);
  const lineItems = readLineItems(scope, {
    given: params.line_items,
    mode: params.mode,
    currency: params.currency,
    subscriber: params.mode === 'subscription' ? customer : null,
  });
  assertCustomerData(params, customer);
  const session = newCheckoutSession(scope, {
    ...params,
    customer,
    discounts: readDiscounts(scope, params, customer),
    lineItems,
    expires_at: expiry(scope.now(), params.expires_at),
    metadata: mergeMetadata({}, params.metadata),
  });
  const details: CheckoutDetails = {
    id: session.id,
    lineItems,
    subscription: readSubscriptionData(
      customer ? inTimeOf(scope, customer) : scope,
      params.subscription_data,
    ),
    payment: readPaymentData(params.payment_intent_data),
    prefilledEmail: null,
    customerUpdate: {
      address: params.customer_update?.address === 'auto',
      name: params.customer_update?.name === 'auto',
    },
  };
  const checkout = priced(scope, { session, details });
  scope.state.checkoutDetails.insert(checkout.details);
  return scope.state.checkoutSessions.insert(checkout.session);
}

function assertSupported(params: SessionParams): void {
  const { mode, ui_mode: ui } = params;
  if (ui && ui !== 'hosted_page') throw unsupportedParameter(`ui_mode=${ui}`);
  const foreign = FOREIGN[mode].find((name) => params[name] !== undefined);
  if (foreign !== undefined) {
    throw new InvalidParameter(`You can not pass \`${foreign}\` in \`${mode}\` mode.`, foreign);
  }
  if (params.customer !== undefined && params.customer_creation !== undefined) {
    throw exclusive('customer', 'customer_creation');
  }
}

/** The parameters that belong to the other mode. */
const FOREIGN = {
  payment: ['payment_method_collection', 'subscription_data'],
  subscription: ['customer_creation', 'invoice_creation', 'payment_intent_data'],
} as const;

function readPaymentData(given: CreateParams['payment_intent_data']): CheckoutDetails['payment'] {
  return {
    description: given?.description ?? null,
    metadata: mergeMetadata({}, given?.metadata),
    receiptEmail: given?.receipt_email ?? null,
    setupFutureUsage: given?.setup_future_usage ?? null,
    statementDescriptor: given?.statement_descriptor ?? null,
  };
}

function payer(scope: Scope, { customer, customer_email: email }: SessionParams): Customer | null {
  if (customer !== undefined && email !== undefined) throw exclusive('customer', 'customer_email');
  return customer === undefined ? null : referencedCustomer(scope, customer);
}

/** Refuses to collect data that the session does not allow to store in the customer. */
function assertCustomerData(params: SessionParams, customer: Customer | null): void {
  const { customer_update: updates, tax_id_collection: taxIds, automatic_tax: tax } = params;
  if (updates && !customer) {
    throw new InvalidParameter('`customer_update` can only be used with `customer`.', 'customer_update');
  }
  if (!customer) return;
  if (taxIds?.enabled && updates?.name !== 'auto') {
    throw new InvalidParameter(
      'Tax ID collection for an existing customer needs `customer_update[name]` set to `auto`.',
      'tax_id_collection',
    );
  }
  if (tax?.enabled && updates?.address !== 'auto' && !customer.address?.country) {
    throw new InvalidParameter(
      'Automatic tax needs an address of the customer, or `customer_update[address]` set to `auto`.',
      'automatic_tax',
      'customer_tax_location_invalid',
    );
  }
}

function readDiscounts(
  scope: Scope,
  params: SessionParams,
  customer: Customer | null,
): CheckoutSession['discounts'] {
  if (!params.discounts || params.discounts.length === 0) return [];
  if (params.allow_promotion_codes !== undefined) throw exclusive('allow_promotion_codes', 'discounts');
  return params.discounts.map((request, index) => {
    const { coupon, code } = couponFor(scope, request, { customer, param: `discounts[${index}]` });
    return code ? { coupon: null, promotion_code: code.id } : { coupon: coupon.id, promotion_code: null };
  });
}

function readSubscriptionData(
  scope: Scope,
  given: CreateParams['subscription_data'],
): CheckoutDetails['subscription'] {
  assertTrial(scope, given);
  return {
    metadata: mergeMetadata({}, given?.metadata),
    description: given?.description ?? null,
    trialDays: given?.trial_period_days ?? null,
    trialEnd: given?.trial_end ?? null,
    missingPaymentMethod: given?.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
  };
}

function assertTrial(scope: Scope, given: CreateParams['subscription_data']): void {
  const { trial_end: end, trial_period_days: days, trial_settings: settings } = given ?? {};
  if (end !== undefined && days !== undefined) {
    throw exclusive('subscription_data[trial_end]', 'subscription_data[trial_period_days]');
  }
  if (end !== undefined && end < scope.now() + SHORTEST_TRIAL) {
    throw new InvalidParameter(
      'The trial must end at least 48 hours from now.',
      'subscription_data[trial_end]',
    );
  }
  if (settings && end === undefined && days === undefined) {
    throw new InvalidParameter('trial_settings need a trial.', 'subscription_data[trial_settings]');
  }
}

function exclusive(...names: string[]): InvalidParameter {
  return new InvalidParameter(`You may only specify one of these parameters: ${names.join(', ')}.`, names[0]);
}

function expiry(now: number, given: number | undefined): number {
  if (given === undefined) return now + DAY;
  if (given >= now + 30 * MINUTE && given <= now + DAY) return given;
  throw new InvalidParameter('expires_at must be between 30 minutes and 24 hours from now.', 'expires_at');
}
