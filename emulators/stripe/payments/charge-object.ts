import type { BankAnswer } from '../billing/cards.ts';
import type { CardMethod, Charge, PaymentIntent, PaymentMethod } from '../objects.ts';
import { newId } from '../world.ts';
import type { World } from '../world.ts';

/** A charge with the bank's answer; the caller stores it. */
export function newCharge(
  world: World,
  intent: PaymentIntent,
  method: PaymentMethod,
  answer: BankAnswer,
): Charge {
  const id = newId('ch');
  const isPaid = answer === null;
  const decline = answer === 'pending' ? null : answer;
  return {
    ...blankCharge(id, world.now()),
    amount: intent.amount,
    amount_captured: isPaid ? intent.amount : 0,
    billing_details: { ...method.billing_details, tax_id: null },
    captured: isPaid,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    metadata: intent.metadata,
    outcome: outcome(answer),
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: methodDetails(intent.amount, method),
    receipt_email: intent.receipt_email,
    receipt_url: null,
    statement_descriptor: intent.statement_descriptor,
    status: statusOf(answer),
  };
}

/** The bank's answer; https://docs.stripe.com/api/charges/object#charge_object-outcome. */
export function outcome(answer: BankAnswer): Charge['outcome'] {
  const decline = answer === 'pending' ? null : answer;
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

function statusOf(answer: BankAnswer): Charge['status'] {
  if (answer === null) return 'succeeded';
  return answer === 'pending' ? 'pending' : 'failed';
}

function methodDetails(
  amount: number,
  { card, sepa_debit: account, type }: PaymentMethod,
): NonNullable<Charge['payment_method_details']> {
  if (card) return { card: cardDetails(amount, card), type };
  if (!account) throw new Error(`The local Stripe has no charges of the type ${type}`);
  const { bank_code, branch_code, country, fingerprint, last4 } = account;
  return { sepa_debit: { bank_code, branch_code, country, fingerprint, last4, mandate: null }, type };
}

function cardDetails(amount: number, card: CardMethod['card']): CardDetails {
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
