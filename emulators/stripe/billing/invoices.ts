import { cancelPayment, openPayment } from '../payments/invoice-payments.ts';
import { byId } from '../state.ts';
import type { Customer, Invoice, InvoiceLine, Subscription } from '../state.ts';
import { emit, newId, update } from '../world.ts';
import type { Scope, World } from '../world.ts';
import { recountUsage } from '../usage/usage-lines.ts';
import { discountInvoice, useUp } from './discounts.ts';
import { customerFields, newInvoice } from './invoice-object.ts';
import { takePending } from './prorations.ts';

/** How long a renewal's invoice stays a draft, in seconds. */
export const DRAFT_TIME = 60 * 60;

export interface Draft {
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  /** Its own lines, beside the items that wait for it, given the id of the invoice that they are for. */
  lines: (invoice: string) => InvoiceLine[];
  /** What the invoice looks back on, in seconds since 1970. */
  period: { start: number; end: number };
}

/** A stored draft for a subscription; nobody is told. */
export function draftInvoice(scope: Scope, subscription: Subscription, draft: Draft): Invoice {
  const id = newId('in');
  const invoice = newInvoice(scope, {
    id,
    customer: customerOf(scope, subscription),
    subscription,
    currency: subscription.currency,
    reason: draft.reason,
    lines: [...takePending(scope, id, subscription), ...draft.lines(id)],
    period: draft.period,
  });
  discountInvoice(scope, subscription, invoice);
  scope.state.invoices.push(invoice);
  return invoice;
}

/**
 * Closes a draft: it gets its number, uses up what the customer has in credit, and can be paid.
 * @param withBalance false if the payment was taken before, so that the customer's balance stays as it is
 */
export function finalize(scope: Scope, invoice: Invoice, { withBalance = true } = {}): void {
  const subscription = subscriptionOf(scope, invoice);
  if (subscription && recountUsage(scope, invoice)) discountInvoice(scope, subscription, invoice);
  const customer = customerOf(scope, invoice);
  const sequence = customer.next_invoice_sequence ?? 1;
  customer.next_invoice_sequence = sequence + 1;
  // A balance below zero is the customer's credit; an invoice below zero adds to it.
  const credit = withBalance ? customer.balance : 0;
  const balance = invoice.total + credit;
  const due = Math.max(0, invoice.total > 0 ? balance : 0);
  const ending = invoice.total > 0 ? Math.min(0, balance) : balance;
  Object.assign(invoice, {
    ...customerFields(scope, customer),
    amount_due: due,
    amount_remaining: due,
    automatically_finalizes_at: null,
    effective_at: scope.now(),
    ending_balance: withBalance ? ending : customer.balance,
    hosted_invoice_url: `${scope.origin}/i/${invoice.id}`,
    invoice_pdf: `${scope.origin}/i/${invoice.id}/pdf`,
    number: `${customer.invoice_prefix ?? 'LOCAL'}-${String(sequence).padStart(4, '0')}`,
    starting_balance: customer.balance,
    status: 'open',
    status_transitions: { ...invoice.status_transitions, finalized_at: scope.now() },
  } satisfies Partial<Invoice>);
  if (withBalance) openPayment(scope, invoice);
  emit(scope, 'invoice.finalized', invoice);
  if (withBalance) update(scope, 'customer.updated', customer, { balance: ending });
  if (subscription) useUp(scope, subscription, invoice);
}

/** Takes an invoice out of the books: nobody has to pay it any more. */
export function voidInvoice(scope: Scope, invoice: Invoice): void {
  close(invoice, 'void', { voided_at: scope.now() });
  cancelPayment(scope, invoice);
  emit(scope, 'invoice.voided', invoice);
}

export function markUncollectible(scope: Scope, invoice: Invoice): void {
  close(invoice, 'uncollectible', { marked_uncollectible_at: scope.now() });
  emit(scope, 'invoice.marked_uncollectible', invoice);
}

function close(
  invoice: Invoice,
  status: 'void' | 'uncollectible',
  transition: Partial<Invoice['status_transitions']>,
): void {
  Object.assign(invoice, {
    auto_advance: false,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
    status,
    status_transitions: { ...invoice.status_transitions, ...transition },
  } satisfies Partial<Invoice>);
}

/** The subscription that an invoice is for. */
export function subscriptionOf({ state }: World, { parent }: Invoice): Subscription | undefined {
  const subscription = parent?.subscription_details?.subscription;
  return typeof subscription === 'string' ? byId(state.subscriptions, subscription) : undefined;
}

export function customerOf({ state }: World, { customer: id }: { customer: string }): Customer {
  const customer = byId(state.customers, id);
  if (!customer) throw new Error(`The customer ${id} is gone`);
  return customer;
}
