import {
  InvalidParameter,
  missingParameter,
  noSuchObject,
  notAllowed,
  unsupportedParameter,
} from '../api/errors.ts';
import { page, pageParams } from '../api/list.ts';
import { mergeMetadata } from '../api/metadata.ts';
import { operation } from '../api/operation.ts';
import {
  clearable,
  flag,
  integer,
  list,
  metadata,
  oneOf,
  required,
  shape,
  text,
  timeRange,
  webUrl,
  names,
} from '../api/params.ts';
import type { Parsed } from '../api/params.ts';
import { byId } from '../state.ts';
import type { CheckoutSession, Customer, LineItem } from '../state.ts';
import { emit, newId } from '../world.ts';
import type { Scope, World } from '../world.ts';
import { newCheckoutSession } from './checkout-session-object.ts';
import { referencedCustomer } from './customer-object.ts';
import { usablePrice } from './prices.ts';

const LIST = { url: '/v1/checkout/sessions', noun: 'checkout.session' };
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const lineItem = shape(
  { price: text(), quantity: integer(1, 999_999), metadata: clearable(metadata()) },
  names('adjustable_quantity dynamic_tax_rates price_data tax_rates'),
);

const subscriptionData = shape(
  { metadata: clearable(metadata()), description: text(500) },
  names(`
  application_fee_percent billing_cycle_anchor billing_cycle_anchor_config billing_mode
  default_tax_rates invoice_settings on_behalf_of pending_invoice_item_interval proration_behavior
  transfer_data trial_end trial_period_days trial_settings
`),
);

const createParams = {
  allow_promotion_codes: flag(),
  cancel_url: webUrl(),
  client_reference_id: text(200),
  customer: text(),
  customer_email: text(512),
  expires_at: integer(0),
  line_items: list(lineItem, 20),
  metadata: clearable(metadata()),
  mode: required(oneOf('payment', 'setup', 'subscription')),
  payment_method_collection: oneOf('always', 'if_required'),
  payment_method_types: list(oneOf('card')),
  subscription_data: subscriptionData,
  success_url: required(webUrl()),
  ui_mode: oneOf('elements', 'embedded_page', 'form', 'hosted_page'),
};

const unsupported = names(`
  adaptive_pricing after_expiration allowed_payment_method_types automatic_tax
  billing_address_collection branding_settings consent_collection currency custom_fields
  custom_text customer_account customer_creation customer_update discounts
  excluded_payment_method_types integration_identifier invoice_creation locale managed_payments
  name_collection optional_items origin_context payment_intent_data payment_method_configuration
  payment_method_data payment_method_options permissions phone_number_collection
  redirect_on_completion return_url saved_payment_method_options setup_intent_data
  shipping_address_collection shipping_options submit_type tax_id_collection wallet_options
`);

type CreateParams = Parsed<typeof createParams>;

function createSession(scope: Scope, params: CreateParams): CheckoutSession {
  if (params.mode !== 'subscription') throw unsupportedParameter(`mode=${params.mode}`);
  if (params.ui_mode && params.ui_mode !== 'hosted_page')
    throw unsupportedParameter(`ui_mode=${params.ui_mode}`);
  const lineItems = readLineItems(scope, params.line_items);
  const customer = payer(scope, params);
  const session = newCheckoutSession(scope, {
    ...params,
    customer,
    lineItems,
    expires_at: expiry(scope.now(), params.expires_at),
    metadata: mergeMetadata({}, params.metadata),
  });
  scope.state.checkoutSessions.push(session);
  scope.state.checkoutDetails.push({
    id: session.id,
    lineItems,
    subscription: {
      metadata: mergeMetadata({}, params.subscription_data?.metadata),
      description: params.subscription_data?.description ?? null,
    },
  });
  return session;
}

function payer(scope: Scope, { customer, customer_email: email }: CreateParams): Customer | null {
  if (customer !== undefined && email !== undefined) {
    throw new InvalidParameter(
      'You may only specify one of these parameters: customer, customer_email.',
      'customer',
    );
  }
  return customer === undefined ? null : referencedCustomer(scope, customer);
}

function expiry(now: number, given: number | undefined): number {
  if (given === undefined) return now + DAY;
  if (given >= now + 30 * MINUTE && given <= now + DAY) return given;
  throw new InvalidParameter('expires_at must be between 30 minutes and 24 hours from now.', 'expires_at');
}

function readLineItems(scope: Scope, given: CreateParams['line_items']): LineItem[] {
  if (!given || given.length === 0) throw missingParameter('line_items');
  const items = given.map((item, index) => readLineItem(scope, item, `line_items[${index}]`));
  const cycles = new Set(items.map(({ price }) => `${price.currency} ${JSON.stringify(price.recurring)}`));
  if (cycles.size > 1) {
    throw new InvalidParameter(
      'All line items must have the same currency and billing interval.',
      'line_items',
    );
  }
  return items;
}

function readLineItem(
  scope: Scope,
  given: NonNullable<CreateParams['line_items']>[number],
  name: string,
): LineItem {
  if (given.price === undefined) throw missingParameter(`${name}[price]`);
  if (given.quantity === undefined) throw missingParameter(`${name}[quantity]`);
  const price = usablePrice(scope, given.price, `${name}[price]`);
  const amount = price.unit_amount * given.quantity;
  return {
    id: newId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: byId(scope.state.products, price.product)?.name ?? null,
    metadata: mergeMetadata({}, given.metadata),
    price,
    quantity: given.quantity,
  };
}

/** Closes an open session for good. */
export function expireSession(scope: Scope, session: CheckoutSession): void {
  session.status = 'expired';
  session.url = null;
  emit(scope, 'checkout.session.expired', session);
}

function requestedSession({ state }: World, id: string): CheckoutSession {
  const session = byId(state.checkoutSessions, id);
  if (!session) throw noSuchObject('checkout.session', id);
  return session;
}

/** https://docs.stripe.com/api/checkout/sessions */
export const checkoutSessionOperations = [
  operation({
    method: 'POST',
    path: '/v1/checkout/sessions',
    params: createParams,
    unsupported,
    run: ({ scope, params }) => createSession(scope, params),
  }),
  operation({
    method: 'GET',
    path: '/v1/checkout/sessions',
    params: {
      ...pageParams,
      created: timeRange(),
      customer: text(),
      customer_details: shape({ email: required(text(512)) }),
      status: oneOf('complete', 'expired', 'open'),
      subscription: text(),
    },
    unsupported: ['customer_account', 'payment_intent', 'payment_link'],
    run: ({
      scope,
      params: { created, customer, customer_details: details, status, subscription, ...paging },
    }) =>
      page(
        scope.state.checkoutSessions,
        (session) =>
          (created?.(session.created) ?? true) &&
          (customer === undefined || session.customer === customer) &&
          (details === undefined || session.customer_details?.email === details.email) &&
          (status === undefined || session.status === status) &&
          (subscription === undefined || session.subscription === subscription),
        paging,
        LIST,
      ),
  }),
  operation({
    method: 'GET',
    path: '/v1/checkout/sessions/:id',
    params: {},
    run: ({ scope, id }) => requestedSession(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/checkout/sessions/:id',
    params: { metadata: clearable(metadata()) },
    unsupported: ['collected_information', 'line_items', 'shipping_options'],
    run: ({ scope, id, params }) => {
      const session = requestedSession(scope, id);
      session.metadata = mergeMetadata(session.metadata, params.metadata);
      return session;
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/checkout/sessions/:id/line_items',
    params: pageParams,
    run: ({ scope, id, params }) => {
      requestedSession(scope, id);
      const items = byId(scope.state.checkoutDetails, id)?.lineItems ?? [];
      // Line items keep the order they were given in, unlike every other list.
      return page(items.toReversed(), () => true, params, {
        url: `${LIST.url}/${id}/line_items`,
        noun: 'item',
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    params: {},
    run: ({ scope, id }) => {
      const session = requestedSession(scope, id);
      if (session.status !== 'open') {
        throw notAllowed(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${String(session.status)}.`,
        );
      }
      expireSession(scope, session);
      return session;
    },
  }),
];
