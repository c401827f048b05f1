import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import type { PlanChange } from '../../firestore/documents/plan-change.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import {
  paymentFailedMail,
  planEndedMail,
  receiptMail,
  trialEndingMail,
} from '../../mail/templates/billing.ts';
import { findPlan, freePlan } from '../../settings/plans.ts';
import { findByStripeCustomer } from '../customers/customer.store.ts';
import { findSoldItem } from '../purchases/lost-purchase.ts';
import { purchaseInMetadata } from '../purchases/purchase-metadata.ts';
import { subscriptionIdOf } from '../stripe/invoice.ts';
import { unlessMissing, withStripeRefusals } from '../stripe/stripe-errors.ts';
import { planOfSubscription } from '../subscriptions/plan-item.ts';
import { notifyCustomer, type Notice } from './notify-customer.service.ts';
import { lacksPaymentMethod } from './trial-without-card.service.ts';

/** Mails at most once for each change. */
export async function notifyOfPlanEnd(
  backend: Backend,
  id: string,
  { customerId, from, to }: PlanChange,
): Promise<void> {
  const { plans, mailPlanEnded: isOn } = backend.config;
  if (!isOn || to !== freePlan(plans).slug) return;
  const itemName = findPlan(plans, from)?.name;
  // No mail for a plan that was removed from the configuration: its subscription may still run.
  if (itemName === undefined) return;
  const customer = await backend.db.customers.getIntact(customerId);
  // The customer was deleted meanwhile, or has a plan again.
  if (customer?.plan !== to) return;
  await notifyCustomer(backend, { key: `plan-${id}`, customerId, itemName }, planEndedMail);
}

/** Call it after syncing the subscription. Mails at most once for each event. Calls Stripe in `lacksPaymentMethod`. */
export async function notifyOfTrialEnd(
  backend: Backend,
  { id: eventId, data: { object: subscription } }: Stripe.CustomerSubscriptionTrialWillEndEvent,
): Promise<void> {
  if (!backend.config.mailTrialEnding) return;
  const found = await findCopy(backend, subscription.customer, subscription.id);
  if (found === undefined || !willContinue(found.copy)) return;
  const { customerId, itemName } = found;
  const until = found.copy.trial_end;
  if (until === null) return;
  const mustAddPaymentMethod = await lacksPaymentMethod(backend, subscription);
  await notifyCustomer(backend, { key: eventId, customerId, itemName }, (mail, language) =>
    trialEndingMail({ ...mail, until, mustAddPaymentMethod }, language),
  );
}

function willContinue({ status, cancel_at, cancel_at_period_end }: SubscriptionDocument): boolean {
  return status === 'trialing' && cancel_at === null && !cancel_at_period_end;
}

/** Call it after syncing the subscription. Mails at most once for each event, but may repeat a push message. */
export async function notifyOfFailedPayment(
  backend: Backend,
  { id: eventId, data: { object: invoice } }: Stripe.InvoicePaymentFailedEvent,
): Promise<void> {
  const { config } = backend;
  if (!config.mailPaymentFailed && !config.pushMessages) return;
  const subscriptionId = subscriptionIdOf(invoice);
  const isSeenOnCheckoutPage = invoice.billing_reason === 'subscription_create';
  if (subscriptionId === undefined || isSeenOnCheckoutPage) return;
  const found = await findCopy(backend, invoice.customer, subscriptionId);
  if (found === undefined || !(await isStillOpen(backend, found.copy, invoice))) return;
  const { customerId, itemName } = found;
  const { amount_due: amount, currency, hosted_invoice_url: invoiceUrl } = invoice;
  const isMailed = config.mailPaymentFailed;
  const notice: Notice = { key: eventId, customerId, itemName, isMailed, pushType: 'payment_failed' };
  await notifyCustomer(backend, notice, (mail, language) =>
    paymentFailedMail({ ...mail, amount, currency, invoiceUrl: invoiceUrl ?? undefined }, language),
  );
}

/** Mails a receipt for a plan or a one-time purchase, at most once for each event. Call it after syncing. */
export async function mailReceipt(
  backend: Backend,
  { id: eventId, data: { object: invoice } }: Stripe.InvoicePaidEvent,
): Promise<void> {
  if (!backend.config.mailReceipt) return;
  const hasPaid = invoice.amount_paid > 0;
  const found = hasPaid ? await findPaidItem(backend, invoice) : undefined;
  if (found === undefined) return;
  const { customerId, itemName } = found;
  const { amount_paid: amount, currency, hosted_invoice_url: invoiceUrl } = invoice;
  await notifyCustomer(backend, { key: eventId, customerId, itemName }, (mail, language) =>
    receiptMail({ ...mail, amount, currency, invoiceUrl: invoiceUrl ?? undefined }, language),
  );
}

/**
 * False if the invoice was paid, voided or written off in the meantime. If the subscription has a newer invoice, this
 * makes one call to Stripe.
 */
async function isStillOpen(
  backend: Backend,
  { latest_invoice: latest }: SubscriptionDocument,
  { id }: Stripe.Invoice,
): Promise<boolean> {
  if (latest?.id === id) return latest.status === 'open';
  const { invoices } = await backend.stripe();
  const invoice = await unlessMissing(() => withStripeRefusals(() => invoices.retrieve(id)));
  return invoice?.status === 'open';
}

/** @returns undefined for an invoice that is neither for one of our plans nor for a one-time purchase */
async function findPaidItem(
  backend: Backend,
  invoice: Stripe.Invoice,
): Promise<Pick<FoundCopy, 'customerId' | 'itemName'> | undefined> {
  const subscriptionId = subscriptionIdOf(invoice);
  if (subscriptionId !== undefined) return findCopy(backend, invoice.customer, subscriptionId);
  const purchase = purchaseInMetadata(invoice);
  const item = findSoldItem(backend.config, invoice);
  return purchase && item && { customerId: purchase.customerId, itemName: item.name };
}

interface FoundCopy {
  customerId: string;
  copy: SubscriptionDocument;
  itemName: string;
}

/** @returns undefined if we have no copy, or the subscription is not for one of our plans */
async function findCopy(
  { config, db }: Backend,
  stripeCustomer: Stripe.Invoice['customer'],
  subscriptionId: string,
): Promise<FoundCopy | undefined> {
  const found = await findByStripeCustomer(db, stripeCustomer);
  if (found === undefined) return undefined;
  const copy = await db.subscriptions(found.id).getIntact(subscriptionId);
  const plan = copy && planOfSubscription(copy, config.plans);
  return copy && plan && { customerId: found.id, copy, itemName: plan.name };
}
