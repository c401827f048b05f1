import type { CardMethod } from '../objects.ts';
import { newId } from '../world.ts';

/** The reasons of a bank to decline; https://docs.stripe.com/declines/codes. */
export interface Decline {
  code:
    | 'authentication_required'
    | 'card_declined'
    | 'expired_card'
    | 'incorrect_cvc'
    | 'incorrect_number'
    | 'payment_intent_authentication_failure'
    | 'payment_intent_payment_attempt_failed'
    | 'processing_error';
  decline_code?: string;
  message: string;
}

/** The bank's answer to a charge: null if it succeeds, `pending` if the answer takes days. */
export type BankAnswer = Decline | 'pending' | null;

const declined = (decline_code: string, message: string): Decline => ({
  code: 'card_declined',
  decline_code,
  message,
});

const GENERIC = declined('generic_decline', 'Your card was declined.');
const NO_FUNDS = declined('insufficient_funds', 'Your card has insufficient funds.');
const NOT_AUTHENTICATED: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

interface TestCard {
  brand: string;
  /** The name behind `pm_card_…`. */
  token: string;
  /** The bank's answer to a charge. */
  charge?: Decline;
  /** The bank declines it when it is saved, not only when it is charged. */
  cannotBeSaved?: true;
  /** When the bank asks for authentication. */
  authenticate?: 'once' | 'always';
  /** The cardholder disputes each payment. */
  dispute?: CardDispute;
}

interface CardDispute {
  reason: 'fraudulent' | 'product_not_received' | 'general';
  /** An inquiry does not withdraw the money. */
  inquiry?: true;
}

/** Test cards by number; https://docs.stripe.com/testing. */
const CARDS: Readonly<Record<string, TestCard>> = {
  '4242424242424242': { brand: 'visa', token: 'visa' },
  '5555555555554444': { brand: 'mastercard', token: 'mastercard' },
  '378282246310005': { brand: 'amex', token: 'amex' },
  '4000000000000002': { brand: 'visa', token: 'chargeDeclined', charge: GENERIC, cannotBeSaved: true },
  '4000000000009995': {
    brand: 'visa',
    token: 'chargeDeclinedInsufficientFunds',
    charge: NO_FUNDS,
    cannotBeSaved: true,
  },
  '4000000000000069': {
    brand: 'visa',
    token: 'chargeDeclinedExpiredCard',
    charge: { code: 'expired_card', message: 'Your card has expired.' },
    cannotBeSaved: true,
  },
  '4000000000000127': {
    brand: 'visa',
    token: 'chargeDeclinedIncorrectCvc',
    charge: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
    cannotBeSaved: true,
  },
  '4000000000000119': {
    brand: 'visa',
    token: 'chargeDeclinedProcessingError',
    charge: {
      code: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
    cannotBeSaved: true,
  },
  '4000000000000341': { brand: 'visa', token: 'chargeCustomerFail', charge: GENERIC },
  '4000000000000259': { brand: 'visa', token: 'createDispute', dispute: { reason: 'fraudulent' } },
  '4000000000002685': {
    brand: 'visa',
    token: 'createDisputeProductNotReceived',
    dispute: { reason: 'product_not_received' },
  },
  '4000000000001976': {
    brand: 'visa',
    token: 'createDisputeInquiry',
    dispute: { reason: 'general', inquiry: true },
  },
  '4000002500003155': { brand: 'visa', token: 'authenticationRequiredOnSetup', authenticate: 'once' },
  '4000002760003184': { brand: 'visa', token: 'authenticationRequired', authenticate: 'always' },
};

/** The number of a test card, given its number or the token of `pm_card_<token>`. */
export function cardNumber(given: string): string | undefined {
  const number = given.replaceAll(/[\s-]/g, '');
  if (Object.hasOwn(CARDS, number)) return number;
  return Object.keys(CARDS).find((known) => CARDS[known]?.token === given);
}

/** The numbers that the pages suggest, with their effect. */
export const SHOWN_CARDS: readonly (readonly [number: string, effect: string])[] = [
  ['4242 4242 4242 4242', 'pays'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 9995', 'has insufficient funds'],
  ['4000 0000 0000 0341', 'can be saved, then fails'],
  ['4000 0025 0000 3155', 'asks for authentication'],
];

/** The bank's answer to saving a card: null if it succeeds. */
export function saveOutcome(number: string): Decline | null {
  const card = CARDS[number];
  return card?.cannotBeSaved ? (card.charge ?? null) : null;
}

/** The dispute that follows each payment with this card, if there is one. */
export function disputeOf(number: string): CardDispute | undefined {
  return CARDS[number]?.dispute;
}

/** Whether the bank asks for authentication before it saves or charges this card. */
export function needsAuthentication(number: string): boolean {
  return CARDS[number]?.authenticate !== undefined;
}

/**
 * The bank's answer to a charge: null if it succeeds.
 * @param authenticated when the customer has authenticated: `now` for this charge, `before` when the card was saved, or
 *   `never`
 */
export function chargeOutcome(number: string, authenticated: 'never' | 'before' | 'now'): Decline | null {
  const card = CARDS[number];
  if (card?.charge) return card.charge;
  if (card?.authenticate === 'always' && authenticated !== 'now') return NOT_AUTHENTICATED;
  if (card?.authenticate === 'once' && authenticated === 'never') return NOT_AUTHENTICATED;
  return null;
}

/** A card without a customer, as the API shows it. */
export function newCard(number: string, now: number): CardMethod {
  const brand = CARDS[number]?.brand ?? 'visa';
  return {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: brand,
      exp_month: 12,
      exp_year: new Date(now * 1000).getUTCFullYear() + 3,
      fingerprint: `local${number.slice(-8)}`,
      funding: 'credit',
      generated_from: null,
      last4: number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
}
