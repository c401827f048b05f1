import type { Decline } from '../billing/cards.ts';
import type { Charge, PaymentIntent, PaymentMethod } from '../state.ts';
import { emit } from '../world.ts';
import type { Scope } from '../world.ts';
import { newCharge } from './charge-object.ts';
import { newPaymentIntent } from './payment-intent-object.ts';
import type { Payment } from './payment-intent-object.ts';

/** A stored payment intent that waits for a card. Emits `payment_intent.created`. */
export function createIntent(scope: Scope, payment: Payment): PaymentIntent {
  const intent = newPaymentIntent(scope, payment);
  scope.state.paymentIntents.push(intent);
  emit(scope, 'payment_intent.created', intent);
  return intent;
}

/** Charges a card for an intent with the bank's answer, null for success. Emits the events of charge and intent. */
export function settleIntent(
  scope: Scope,
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: Decline | null,
): Charge {
  const charge = newCharge(scope, intent, method, decline);
  scope.state.charges.push(charge);
  intent.latest_charge = charge.id;
  if (decline) fail(scope, intent, charge, { decline, method });
  else succeed(scope, intent, charge);
  return charge;
}

function succeed(scope: Scope, intent: PaymentIntent, charge: Charge): void {
  emit(scope, 'charge.succeeded', charge);
  Object.assign(intent, {
    amount_received: intent.amount,
    last_payment_error: null,
    payment_method: charge.payment_method,
    status: 'succeeded',
  } satisfies Partial<PaymentIntent>);
  emit(scope, 'payment_intent.succeeded', intent);
}

function fail(
  scope: Scope,
  intent: PaymentIntent,
  charge: Charge,
  { decline, method }: { decline: Decline; method: PaymentMethod },
): void {
  emit(scope, 'charge.failed', charge);
  intent.last_payment_error = {
    charge: charge.id,
    ...decline,
    doc_url: `https://stripe.com/docs/error-codes/${decline.code.replaceAll('_', '-')}`,
    payment_method: structuredClone(method),
    type: 'card_error',
  };
  emit(scope, 'payment_intent.payment_failed', intent);
}
