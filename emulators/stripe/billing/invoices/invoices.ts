import type { Customer, Invoice, InvoiceLine, Subscription } from '../../objects.ts';
import { cancelPayment, openPayment } from '../../payments/invoice-payments.ts';
import { recountUsage } from '../../usage/usage-lines.ts';
import { emit, newId, update } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { discountInvoice, useUp } from '../discounts/discounts.ts';
import { takePending } from '../subscriptions/prorations.ts';
import { customerFields, newInvoice } from './invoice-object.ts';

/** How long a renewal's invoice stays a draft, in seconds. */
export const DRAFT_TIME = 60 * 60;

const DAY = 24 * 60 * 60;

export interface Draft {
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  /** Its own lines, beside the items that wait for it, given the id of the invoice that they are for. */
  lines: (invoice: string) => InvoiceLine[];
  /** The period that the invoice covers, in seconds since 1970. */
  period: { start: number; end: number };
  /** Whether and when it is finalized by itself. */
  advance?: Partial<Pick<Invoice, 'auto_advance' | 'automatically_finalizes_at'>>;
}

/** Stores a draft for a subscription. Emits no event. */
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
  return scope.state.invoices.insert({
    ...discountInvoice(scope, subscription, invoice),
    collection_method: subscription.collection_method,
    ...draft.advance,
  });
}

/**
 * Closes a draft: it gets its number, uses the customer's credit, and can be paid.
 * @param withBalance false if the payment was taken before, so that the customer's balance stays as it is
 */
export function finalize(scope: Scope, draft: Invoice, { withBalance = true } = {}): Invoice {
  const subscription = subscriptionOf(scope, draft);
  const invoice = withLateUsage(scope, scope.state.invoices.latest(draft), subscription);
  const customer = customerOf(scope, invoice);
  const sequence = customer.next_invoice_sequence ?? 1;
  scope.state.customers.patch(customer.id, { next_invoice_sequence: sequence + 1 });
  const { due, ending } = settledByBalance(invoice, withBalance ? customer.balance : 0);
  const finalized = scope.state.invoices.patch(invoice.id, {
    ...invoice,
    ...customerFields(scope, customer),
    amount_due: due,
    amount_remaining: due,
    automatically_finalizes_at: null,
    due_date: dueDateOf(scope, invoice, subscription),
    effective_at: scope.now(),
    ending_balance: withBalance ? ending : customer.balance,
    hosted_invoice_url: `${scope.origin}/i/${invoice.id}`,
    invoice_pdf: `${scope.origin}/i/${invoice.id}/pdf`,
    number: `${customer.invoice_prefix ?? 'LOCAL'}-${String(sequence).padStart(4, '0')}`,
    starting_balance: customer.balance,
    status: 'open',
    status_transitions: { ...invoice.status_transitions, finalized_at: scope.now() },
  });
  if (withBalance) openPayment(scope, finalized);
  emit(scope, 'invoice.finalized', finalized);
  if (withBalance) update(scope, 'customer.updated', customer, { balance: ending });
  if (subscription) useUp(scope, subscription, finalized);
  return finalized;
}

/** An invoice that is charged automatically has no due date. */
function dueDateOf(scope: Scope, invoice: Invoice, subscription: Subscription | undefined): number | null {
  if (invoice.collection_method !== 'send_invoice') return null;
  return scope.now() + (subscription?.days_until_due ?? 0) * DAY;
}

/** The draft with the usage events that arrived late. */
function withLateUsage(scope: Scope, invoice: Invoice, subscription: Subscription | undefined): Invoice {
  const counted = subscription && recountUsage(scope, invoice);
  return counted ? discountInvoice(scope, subscription, counted) : invoice;
}

/**
 * The amount due and the balance that is left. A balance below zero is the customer's credit; an invoice below zero
 * adds to it.
 */
function settledByBalance({ total }: Invoice, credit: number): { due: number; ending: number } {
  const balance = total + credit;
  return total > 0
    ? { due: Math.max(0, balance), ending: Math.min(0, balance) }
    : { due: 0, ending: balance };
}

/** Voids an invoice: it no longer needs to be paid. */
export function voidInvoice(scope: Scope, invoice: Invoice): Invoice {
  const closed = close(scope, invoice, 'void', { voided_at: scope.now() });
  cancelPayment(scope, closed);
  emit(scope, 'invoice.voided', closed);
  return closed;
}

export function markUncollectible(scope: Scope, invoice: Invoice): Invoice {
  const closed = close(scope, invoice, 'uncollectible', { marked_uncollectible_at: scope.now() });
  emit(scope, 'invoice.marked_uncollectible', closed);
  return closed;
}

function close(
  { state }: Scope,
  invoice: Invoice,
  status: 'void' | 'uncollectible',
  transition: Partial<Invoice['status_transitions']>,
): Invoice {
  const { status_transitions: transitions } = state.invoices.latest(invoice);
  return state.invoices.patch(invoice.id, {
    auto_advance: false,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
    status,
    status_transitions: { ...transitions, ...transition },
  });
}

/** The subscription that an invoice is for. */
export function subscriptionOf({ state }: World, { parent }: Invoice): Subscription | undefined {
  const subscription = parent?.subscription_details?.subscription;
  return typeof subscription === 'string' ? state.subscriptions.get(subscription) : undefined;
}

export function customerOf({ state }: World, { customer: id }: { customer: string }): Customer {
  const customer = state.customers.get(id);
  if (!customer) throw new Error(`The customer ${id} is gone`);
  return customer;
}
