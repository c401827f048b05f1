import type { Decline } from '../billing/cards.ts';
import type { Charge, PaymentIntent, PaymentMethod } from '../objects.ts';
import { emit } from '../world.ts';
import type { Scope } from '../world.ts';
import { chargeIntent } from './charging.ts';
import { newPaymentIntent } from './payment-intent-object.ts';
import type { Payment } from './payment-intent-object.ts';
import { disputeByCard } from './refunds-and-disputes/disputing.ts';

/** A stored payment intent that waits for a card. Emits `payment_intent.created`. */
export function createIntent(scope: Scope, payment: Payment): PaymentIntent {
  const intent = scope.state.paymentIntents.insert(newPaymentIntent(scope, payment));
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
  const charge = chargeIntent(scope, intent, method, decline);
  emit(scope, decline ? 'charge.failed' : 'charge.succeeded', charge);
  const outcome = decline ? 'payment_intent.payment_failed' : 'payment_intent.succeeded';
  emit(scope, outcome, scope.state.paymentIntents.latest(intent));
  if (!decline) disputeByCard(scope, charge, method);
  return charge;
}
