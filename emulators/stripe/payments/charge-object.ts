import type { Decline } from '../billing/cards.ts';
import type { Charge, PaymentIntent, PaymentMethod } from '../objects.ts';
import { newId } from '../world.ts';
import type { World } from '../world.ts';

/** A charge of a card, successful unless `decline` has a reason; the caller stores it. */
export function newCharge(
  world: World,
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: Decline | null,
): Charge {
  const id = newId('ch');
  return {
    ...blankCharge(id, world.now()),
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    billing_details: { ...method.billing_details, tax_id: null },
    captured: decline === null,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    metadata: intent.metadata,
    outcome: outcome(decline),
    paid: decline === null,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { card: cardDetails(intent.amount, method), type: 'card' },
    receipt_email: intent.receipt_email,
    receipt_url: null,
    statement_descriptor: intent.statement_descriptor,
    status: decline ? 'failed' : 'succeeded',
  };
}

/** The bank's answer; https://docs.stripe.com/api/charges/object#charge_object-outcome. */
function outcome(decline: Decline | null): Charge['outcome'] {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: decline ? 'declined_by_network' : 'approved_by_network',
    reason: decline ? (decline.decline_code ?? decline.code) : null,
    risk_level: 'normal',
    risk_score: 10,
    seller_message: decline
      ? 'The bank did not return any further details with this decline.'
      : 'Payment complete.',
    type: decline ? 'issuer_declined' : 'authorized',
  };
}

function cardDetails(amount: number, { card }: PaymentMethod): CardDetails {
  return {
    amount_authorized: amount,
    authorization_code: null,
    brand: card.brand,
    checks: card.checks,
    country: card.country,
    electronic_commerce_indicator: null,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    fingerprint: card.fingerprint ?? null,
    funding: card.funding,
    installments: null,
    last4: card.last4,
    mandate: null,
    network: card.brand,
    network_transaction_id: null,
    regulated_status: card.regulated_status,
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  };
}

type CardDetails = NonNullable<NonNullable<Charge['payment_method_details']>['card']>;

type Given =
  | 'amount'
  | 'amount_captured'
  | 'billing_details'
  | 'captured'
  | 'currency'
  | 'customer'
  | 'description'
  | 'failure_code'
  | 'failure_message'
  | 'metadata'
  | 'outcome'
  | 'paid'
  | 'payment_intent'
  | 'payment_method'
  | 'payment_method_details'
  | 'receipt_email'
  | 'receipt_url'
  | 'statement_descriptor'
  | 'status';

function blankCharge(id: string, now: number): Omit<Charge, Given> {
  return {
    id,
    object: 'charge',
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    calculated_statement_descriptor: 'LOCAL STRIPE',
    created: now,
    disputed: false,
    failure_balance_transaction: null,
    fraud_details: {},
    livemode: false,
    on_behalf_of: null,
    radar_options: {},
    receipt_number: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor_suffix: null,
    transfer_data: null,
    transfer_group: null,
  };
}
