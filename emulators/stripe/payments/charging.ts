import type { Decline } from '../billing/cards.ts';
import type { Charge, PaymentIntent, PaymentMethod } from '../state.ts';
import type { Scope } from '../world.ts';
import { newCharge } from './charge-object.ts';

/** A stored charge of an intent, with the bank's answer (null for success). Emits no event. */
export function chargeIntent(
  scope: Scope,
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: Decline | null,
): Charge {
  const charge = newCharge(scope, intent, method, decline);
  scope.state.charges.push(charge);
  intent.latest_charge = charge.id;
  if (decline) {
    intent.last_payment_error = {
      charge: charge.id,
      ...decline,
      doc_url: `https://stripe.com/docs/error-codes/${decline.code.replaceAll('_', '-')}`,
      payment_method: structuredClone(method),
      type: 'card_error',
    };
  } else {
    Object.assign(intent, {
      amount_received: intent.amount,
      last_payment_error: null,
      payment_method: charge.payment_method,
      status: 'succeeded',
    } satisfies Partial<PaymentIntent>);
  }
  return charge;
}
