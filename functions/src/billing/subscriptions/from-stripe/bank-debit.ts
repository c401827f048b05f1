import type Stripe from 'stripe';
import { isActiveOrTrialing } from '../status.ts';
import { WITH_LATEST_INVOICE } from './convert-subscription.ts';

/** A charge of these payment methods takes days. https://docs.stripe.com/payments/bank-debits */
const BANK_DEBITS: readonly Stripe.PaymentMethod.Type[] = [
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'nz_bank_account',
  'sepa_debit',
  'us_bank_account',
];

/** The parameters with which a subscription that a customer manages is read: see `requireExpanded`. */
export const WITH_PAYMENT_METHODS = {
  expand: [
    ...WITH_LATEST_INVOICE.expand,
    'default_payment_method',
    // Four levels in a list, with `data`. Stripe expands no more.
    'customer.invoice_settings.default_payment_method',
  ],
};

/** A subscription with the payment methods that Stripe may charge. Only `requireExpanded` makes it. */
export interface ExpandedSubscription extends Stripe.Subscription {
  default_payment_method: Stripe.PaymentMethod | null;
  customer: ExpandedCustomer | Stripe.DeletedCustomer;
}

interface ExpandedCustomer extends Stripe.Customer {
  invoice_settings: ExpandedInvoiceSettings;
}

interface ExpandedInvoiceSettings extends Stripe.Customer.InvoiceSettings {
  default_payment_method: Stripe.PaymentMethod | null;
}

/**
 * Narrows a subscription that was read with `WITH_PAYMENT_METHODS`.
 *
 * @throws Error if a payment method is missing, because the subscription was read in another way
 */
export function requireExpanded(subscription: Stripe.Subscription): ExpandedSubscription {
  if (!isExpanded(subscription))
    throw new Error(`The payment methods of the subscription ${subscription.id} are not expanded.`);
  return subscription;
}

function isExpanded(subscription: Stripe.Subscription): subscription is ExpandedSubscription {
  const { default_payment_method: own, customer } = subscription;
  if (typeof own === 'string' || typeof customer === 'string') return false;
  return customer.deleted === true || typeof customer.invoice_settings.default_payment_method !== 'string';
}

/** True if Stripe charges the subscription automatically, by a payment method whose charges take days. */
export function isPaidByBankDebit({
  collection_method: collection,
  default_payment_method: own,
  customer,
}: Pick<ExpandedSubscription, 'collection_method' | 'default_payment_method' | 'customer'>): boolean {
  const method = own ?? defaultOf(customer);
  return collection === 'charge_automatically' && method !== null && BANK_DEBITS.includes(method.type);
}

function defaultOf(customer: ExpandedSubscription['customer']): Stripe.PaymentMethod | null {
  return customer.deleted === true ? null : customer.invoice_settings.default_payment_method;
}

/**
 * True if Stripe is debiting an open invoice at the moment, so that the customer has nothing to do. If the debit fails,
 * the subscription is past due. An invoice that was sent, or that a pending update waits for, is not debited: the
 * payment method may have been chosen after it was made.
 */
export function isBeingDebited(
  subscription: ExpandedSubscription,
  { collection_method: collection }: Stripe.Invoice,
): boolean {
  return (
    isPaidByBankDebit(subscription) &&
    isActiveOrTrialing(subscription) &&
    subscription.pending_update === null &&
    collection === 'charge_automatically'
  );
}
