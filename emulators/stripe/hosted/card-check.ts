import { cardNumber, chargeOutcome, needsAuthentication, saveOutcome } from '../billing/cards.ts';
import type { Decline } from '../billing/cards.ts';
import type { Scope } from '../world.ts';
import type { Problem } from './fields.tsx';

const EXPIRY = /^(0[1-9]|1[0-2])\s*\/\s*(?:20)?(\d{2})$/;

/** The values that a card form begins with: a test card that pays. */
function shown({ now }: Scope): Readonly<Record<string, string>> {
  const year = new Date(now() * 1000).getUTCFullYear() + 3;
  return { card_number: '4242 4242 4242 4242', card_expiry: `12 / ${year % 100}`, card_cvc: '123' };
}

/** The values that were typed. A field that the form does not send has its default. */
export function typed(
  form: URLSearchParams,
  defaults: Readonly<Record<string, string>>,
): Map<string, string> {
  return new Map(Object.entries(defaults).map(([name, value]) => [name, (form.get(name) ?? value).trim()]));
}

/** The values of a card form. */
export function typedCard(scope: Scope, form: URLSearchParams): Map<string, string> {
  return typed(form, shown(scope));
}

export type CardCheck =
  | { kind: 'accepted'; number: string; authenticated: boolean }
  | {
      kind: 'refused';
      status: 400 | 402;
      problem: Problem;
      /** The card and the bank's reason, unless the form itself was wrong. */
      declined?: { number: string; reason: Decline };
    }
  | { kind: 'authenticate' };

/**
 * Asks the bank about the card that was typed.
 * @param charged whether the card is charged now; otherwise it is only saved
 */
export function checkCard(scope: Scope, form: URLSearchParams, charged: boolean): CardCheck {
  const values = typedCard(scope, form);
  const number = cardNumber(values.get('card_number') ?? '');
  const refuse = (name: string, message: string): CardCheck => ({
    kind: 'refused',
    status: 400,
    problem: { field: name, message },
  });
  if (number === undefined)
    return refuse('card_number', 'Your card number is invalid. Only test cards are taken here.');
  if (isPast(scope, values.get('card_expiry') ?? ''))
    return refuse('card_expiry', "Your card's expiration date is invalid or in the past.");
  if (!/^\d{3,4}$/.test(values.get('card_cvc') ?? ''))
    return refuse('card_cvc', "Your card's security code is incomplete.");

  const wanted = needsAuthentication(number);
  const answer = form.get('authentication');
  if (wanted && answer === null) return { kind: 'authenticate' };
  const failed: Decline = {
    code: 'payment_intent_authentication_failure',
    message: 'We are unable to authenticate your payment method. Please choose another one and try again.',
  };
  const declined =
    wanted && answer !== 'complete'
      ? failed
      : (saveOutcome(number) ?? (charged ? chargeOutcome(number, wanted ? 'now' : 'never') : null));
  if (declined) {
    const problem = { field: 'card_number', message: declined.message };
    return { kind: 'refused', status: 402, problem, declined: { number, reason: declined } };
  }
  return { kind: 'accepted', number, authenticated: wanted };
}

function isPast({ now }: Scope, expiry: string): boolean {
  const [, month, year] = EXPIRY.exec(expiry) ?? [];
  return Date.UTC(2000 + Number(year), Number(month)) <= now() * 1000 || month === undefined;
}
