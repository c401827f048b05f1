import type { PaymentMethod } from '../objects.ts';
import { newId } from '../world.ts';
import type { Decline } from './cards.ts';

/** Test accounts by IBAN, with the bank's answer to a debit; https://docs.stripe.com/payments/sepa-debit/accept-a-payment. */
const ACCOUNTS: Readonly<Record<string, { debit: Decline | null }>> = {
  DE89370400440532013000: { debit: null },
  DE62370400440532013001: {
    debit: { code: 'payment_intent_payment_attempt_failed', message: 'The payment failed.' },
  },
};

/** Stripe's test IBANs whose effect is not built. */
const UNBUILT_IBANS: readonly string[] = ['DE35370400440532013002'];

/** An IBAN without spaces. */
export function compactIban(given: string): string {
  return given.replaceAll(/\s/g, '').toUpperCase();
}

export function isTestIban(iban: string): boolean {
  return Object.hasOwn(ACCOUNTS, iban);
}

export function isUnbuiltIban(iban: string): boolean {
  return UNBUILT_IBANS.includes(iban);
}

/** The bank's answer to a debit, which arrives days after the debit began: null if it succeeds. */
export function debitOutcome(iban: string): Decline | null {
  return ACCOUNTS[iban]?.debit ?? null;
}

/** A bank account without a customer, as the API shows it. */
export function newBankAccount(
  iban: string,
  { email, name }: { email: string; name: string },
  now: number,
): PaymentMethod {
  return {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email, name, phone: null, tax_id: null },
    created: now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    sepa_debit: {
      bank_code: iban.slice(4, 12),
      branch_code: '',
      country: iban.slice(0, 2),
      fingerprint: `local${iban.slice(-8)}`,
      generated_from: { charge: null, setup_attempt: null },
      last4: iban.slice(-4),
    },
    type: 'sepa_debit',
  };
}
