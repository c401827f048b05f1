import { debitOutcome } from '../billing/bank-accounts.ts';
import type { Decline } from '../billing/cards.ts';
import type { Charge, Invoice } from '../objects.ts';
import type { Scope, World } from '../world.ts';
import { declineCharge, payCharge } from './charging.ts';
import { intentOf, markPaymentPaid, openPaymentOf } from './invoice-payments.ts';

/** How long a bank debit takes, in seconds. At Stripe it takes some business days. */
export const DEBIT_TIME = 5 * 24 * 60 * 60;

/** The pending charge of an open invoice; undefined if no bank debit is under way. */
export function debitUnderWay(world: Pick<World, 'state'>, invoice: Invoice): Charge | undefined {
  if (invoice.status !== 'open') return undefined;
  const payment = openPaymentOf(world, invoice);
  const intent = payment && intentOf(world, payment);
  return intent?.status === 'processing' ? world.state.charges.get(intent.latest_charge ?? '') : undefined;
}

/**
 * Ends the bank debit of an invoice with the bank's answer. Emits no event.
 * @returns why the debit failed, or null
 */
export function endDebit(scope: Scope, invoice: Invoice): Decline | null {
  const { bankAccounts, paymentMethods } = scope.state;
  const payment = openPaymentOf(scope, invoice);
  const intent = payment && intentOf(scope, payment);
  const charge = debitUnderWay(scope, invoice);
  const method = paymentMethods.get(charge?.payment_method ?? '');
  if (!intent || !charge || !method) throw new Error(`No bank debit of ${invoice.id} is under way`);
  const decline = debitOutcome(bankAccounts.get(method.id)?.iban ?? '');
  if (decline) {
    declineCharge(scope, { intent, charge, method }, decline);
    return decline;
  }
  payCharge(scope, { intent, charge });
  markPaymentPaid(scope, payment, intent.amount);
  return null;
}
