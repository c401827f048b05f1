import type { BankAnswer, Decline } from '../billing/cards.ts';
import type { Charge, PaymentIntent, PaymentMethod } from '../objects.ts';
import type { Scope } from '../world.ts';
import { newCharge, outcome } from './charge-object.ts';

/** Stores a charge of an intent with the bank's answer. Emits no event. */
export function chargeIntent(
  scope: Scope,
  intent: PaymentIntent,
  method: PaymentMethod,
  answer: BankAnswer,
): Charge {
  const charge = scope.state.charges.insert(newCharge(scope, intent, method, answer));
  scope.state.paymentIntents.patch(intent.id, {
    latest_charge: charge.id,
    ...intentAfter(intent, charge, method, answer),
  });
  return charge;
}

function intentAfter(
  intent: PaymentIntent,
  charge: Charge,
  method: PaymentMethod,
  answer: BankAnswer,
): Partial<PaymentIntent> {
  if (answer === null) return succeeded(intent, charge);
  return answer === 'pending' ? processing(charge, method) : failed(charge, method, answer);
}

function failed(charge: Charge, method: PaymentMethod, decline: Decline): Partial<PaymentIntent> {
  return {
    last_payment_error: {
      charge: charge.id,
      ...decline,
      doc_url: `https://stripe.com/docs/error-codes/${decline.code.replaceAll('_', '-')}`,
      payment_method: method,
      type: method.type === 'card' ? 'card_error' : 'invalid_request_error',
    },
  };
}

function succeeded({ amount }: PaymentIntent, charge: Charge): Partial<PaymentIntent> {
  return {
    amount_received: amount,
    last_payment_error: null,
    payment_method: charge.payment_method,
    status: 'succeeded',
  };
}

function processing(charge: Charge, { type }: PaymentMethod): Partial<PaymentIntent> {
  return {
    last_payment_error: null,
    payment_method: charge.payment_method,
    payment_method_options: { [type]: {} },
    payment_method_types: [type],
    status: 'processing',
  };
}

/** A charge that waits for the bank's answer, with its payment intent. */
export interface PendingCharge {
  intent: PaymentIntent;
  charge: Charge;
}

/** Makes a pending charge succeed. Emits no event. */
export function payCharge({ state }: Scope, { intent, charge }: PendingCharge): void {
  state.charges.patch(charge.id, {
    amount_captured: charge.amount,
    captured: true,
    paid: true,
    status: 'succeeded',
  });
  state.paymentIntents.patch(intent.id, succeeded(intent, charge));
}

/** Makes a pending charge fail, so that the intent waits for another payment. Emits no event. */
export function declineCharge(
  { state }: Scope,
  { intent, charge, method }: PendingCharge & { method: PaymentMethod },
  decline: Decline,
): void {
  const { code, message } = decline;
  state.charges.patch(charge.id, {
    failure_code: code,
    failure_message: message,
    outcome: outcome(decline),
    status: 'failed',
  });
  state.paymentIntents.patch(intent.id, {
    ...failed(charge, method, decline),
    payment_method: null,
    status: 'requires_payment_method',
  });
}
