import { InvalidParameter } from '../../api/errors.ts';
import type { World } from '../../world.ts';
import { hasEnded } from './ending.ts';

/**
 * The currency in which a customer must subscribe: that of a running subscription, of an open checkout page for a
 * subscription, or of an invoice item without an invoice. One-time payments may have another currency.
 * https://docs.stripe.com/invoicing/multi-currency-customers
 */
export function subscriptionCurrency({ state }: World, customer: string): string | undefined {
  const found =
    state.subscriptions.find((row) => row.customer === customer && !hasEnded(row)) ??
    state.checkoutSessions.find(
      (row) => row.customer === customer && row.mode === 'subscription' && row.status === 'open',
    ) ??
    state.invoiceItems.find((row) => row.customer === customer && row.invoice === null);
  return found?.currency ?? undefined;
}

/** Refuses a second currency for the subscriptions of a customer. Stripe gives this error no code and no parameter. */
export function assertOneCurrency(world: World, customer: string, currency: string): void {
  const other = subscriptionCurrency(world, customer);
  if (other === undefined || other === currency) return;
  throw new InvalidParameter(
    `You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, discount, quote, invoice item or active subscription mode checkout session with currency ${other}.`,
  );
}
