import type { Decline } from '../billing/cards.ts';
import type { Charge, PaymentIntent, PaymentMethod } from '../objects.ts';
import type { Scope } from '../world.ts';
import { newCharge } from './charge-object.ts';

/** Stores a charge of an intent with the bank's answer, null for success. Emits no event. */
export function chargeIntent(
  scope: Scope,
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: Decline | null,
): Charge {
  const charge = scope.state.charges.insert(newCharge(scope, intent, method, decline));
  scope.state.paymentIntents.patch(intent.id, {
    latest_charge: charge.id,
    ...(decline ? failed(charge, method, decline) : succeeded(intent, charge)),
  });
  return charge;
}

function failed(charge: Charge, method: PaymentMethod, decline: Decline): Partial<PaymentIntent> {
  return {
    last_payment_error: {
      charge: charge.id,
      ...decline,
      doc_url: `https://stripe.com/docs/error-codes/${decline.code.replaceAll('_', '-')}`,
      payment_method: method,
      type: 'card_error',
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
