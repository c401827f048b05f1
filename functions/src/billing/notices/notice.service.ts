import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { PlanChange } from '../../firestore/documents/plan-change.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import { writeMail, type Message } from '../../mail/outbox.store.ts';
import {
  paymentFailedMail,
  planEndedMail,
  receiptMail,
  trialEndingMail,
  type BillingMail,
} from '../../mail/templates/billing.ts';
import { writePush } from '../../push/push.store.ts';
import type { Language } from '../../settings/languages.ts';
import { findPlan, freePlan } from '../../settings/plans.ts';
import { ownersOf } from '../../teams/members/member.store.ts';
import { isBeingDeleted } from '../../teams/team.ts';
import { isClosed } from '../customer-rules.ts';
import { findByStripeCustomer } from '../customers/customer.store.ts';
import { subscriptionIdOf } from '../stripe/invoice.ts';
import { unlessMissing, withStripeRefusals } from '../stripe/stripe-errors.ts';
import { withTeamQuery } from '../subject.ts';
import { planOfSubscription } from '../subscriptions/plan-item.ts';
import { lacksPaymentMethod } from './trial-without-card.service.ts';

/** Mails at most once for each change. */
export async function notifyOfPlanEnd(
  backend: Backend,
  id: string,
  { customerId, from, to }: PlanChange,
): Promise<void> {
  const { plans, mailPlanEnded: isOn } = backend.config;
  if (!isOn || to !== freePlan(plans).slug) return;
  const planName = findPlan(plans, from)?.name;
  // No mail for a plan that was removed from the configuration: its subscription may still run.
  if (planName === undefined) return;
  const customer = await backend.db.customers.getIntact(customerId);
  // The customer was deleted meanwhile, or has a plan again.
  if (customer?.plan !== to) return;
  await notifyCustomer(backend, { key: `plan-${id}`, customerId, planName }, planEndedMail);
}

/** Call it after syncing the subscription. Mails at most once for each event. Calls Stripe in `lacksPaymentMethod`. */
export async function notifyOfTrialEnd(
  backend: Backend,
  { id: eventId, data: { object: subscription } }: Stripe.CustomerSubscriptionTrialWillEndEvent,
): Promise<void> {
  if (!backend.config.mailTrialEnding) return;
  const found = await findCopy(backend, subscription.customer, subscription.id);
  if (found === undefined || !willContinue(found.copy)) return;
  const { customerId, planName } = found;
  const until = found.copy.trial_end;
  if (until === null) return;
  const mustAddPaymentMethod = await lacksPaymentMethod(backend, subscription);
  await notifyCustomer(backend, { key: eventId, customerId, planName }, (mail, language) =>
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
  const { customerId, planName } = found;
  const { amount_due: amount, currency, hosted_invoice_url: invoiceUrl } = invoice;
  const isMailed = config.mailPaymentFailed;
  const notice: Notice = { key: eventId, customerId, planName, isMailed, pushType: 'payment_failed' };
  await notifyCustomer(backend, notice, (mail, language) =>
    paymentFailedMail({ ...mail, amount, currency, invoiceUrl: invoiceUrl ?? undefined }, language),
  );
}

/** Call it after syncing the subscription. Mails at most once for each event. */
export async function mailReceipt(
  backend: Backend,
  { id: eventId, data: { object: invoice } }: Stripe.InvoicePaidEvent,
): Promise<void> {
  if (!backend.config.mailReceipt) return;
  const subscriptionId = subscriptionIdOf(invoice);
  const hasPaid = invoice.amount_paid > 0;
  if (subscriptionId === undefined || !hasPaid) return;
  const found = await findCopy(backend, invoice.customer, subscriptionId);
  if (found === undefined) return;
  const { customerId, planName } = found;
  const { amount_paid: amount, currency, hosted_invoice_url: invoiceUrl } = invoice;
  await notifyCustomer(backend, { key: eventId, customerId, planName }, (mail, language) =>
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

interface FoundCopy {
  customerId: string;
  copy: SubscriptionDocument;
  planName: string;
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
  return copy && plan && { customerId: found.id, copy, planName: plan.name };
}

interface Notice {
  /** Identifies the mail: the same key is mailed once. */
  key: string;
  customerId: string;
  planName: string;
  /** True by default. */
  isMailed?: boolean;
  /** Undefined for a notice without push messages. */
  pushType?: string;
}

async function notifyCustomer(
  backend: Backend,
  { key, customerId, planName, isMailed = true, pushType }: Notice,
  write: (mail: BillingMail, language: Language) => Message,
): Promise<void> {
  const recipients = await recipientsOf(backend, customerId);
  if (recipients === undefined) return;
  const { addresses, uids, teamName, type } = recipients;
  const { config, db, now } = backend;
  const url = config.appUrl + withTeamQuery(config.portalReturnPath, { type, customerId });
  const message = write({ plan: planName, teamName, billingUrl: url }, config.mailLanguage);
  const mails = isMailed ? addresses.map((to) => ({ to, message })) : [];
  const data = { type: pushType ?? '', url, customerId };
  const hasPushes = pushType !== undefined && config.pushMessages;
  const pushes = (hasPushes ? uids : []).map((uid, index) => ({
    id: `${key}-${index}`,
    to: { uid },
    body: message.subject,
    data,
  }));
  await db.run(async (tx) => {
    const wasMailed = mails.length > 0 && (await tx.mail.exists(`${key}-0`));
    if (wasMailed) return;
    // A sent push message is deleted, so a repeated event may send it again. The device replaces the earlier message.
    const isWaiting = await Promise.all(pushes.map(({ id }) => tx.pushes.exists(id)));
    for (const [index, mail] of mails.entries()) writeMail(tx, { id: `${key}-${index}`, ...mail }, now());
    for (const [index, push] of pushes.entries()) {
      if (isWaiting[index] !== true) writePush(tx, config, push, now());
    }
  });
}

/** The most owners of a team who get a notice. */
const MAX_OWNERS = 20;

interface Recipients {
  /** Lower case. Empty if nobody has a verified address. */
  addresses: string[];
  /** The user, or the owners of the team, for push messages. */
  uids: string[];
  type: CustomerDocument['type'];
  /** The name of the team; undefined for a user. */
  teamName: string | undefined;
}

/**
 * Mail goes to the user, or to the billing address of the team. If the team has no billing address, mail goes to its
 * owners. Makes at most one call to Firebase Auth.
 *
 * @returns undefined for a customer that does not exist or is being deleted
 */
async function recipientsOf(backend: Backend, customerId: string): Promise<Recipients | undefined> {
  const { config, db, now } = backend;
  const customer = await db.customers.getIntact(customerId);
  if (customer === undefined || isClosed(customer, now())) return undefined;
  if (customer.type === 'user') {
    const uids = [customerId];
    return { addresses: await verifiedAddresses(backend, uids), uids, teamName: undefined, type: 'user' };
  }
  const team = await db.teams.getIntact(customerId);
  if (team === undefined || isBeingDeleted(team)) return undefined;
  const { billingEmail, name: teamName } = team;
  if (billingEmail !== undefined && !config.pushMessages) {
    return { addresses: [billingEmail], uids: [], teamName, type: 'team' };
  }
  const uids = (await ownersOf(db, customerId).limit(MAX_OWNERS).findPaths()).map(({ id }) => id);
  const addresses = billingEmail === undefined ? await verifiedAddresses(backend, uids) : [billingEmail];
  return { addresses, uids, teamName, type: 'team' };
}

async function verifiedAddresses({ auth }: Backend, uids: readonly string[]): Promise<string[]> {
  const { users } = await auth.getUsers(uids.map((uid) => ({ uid })));
  const addresses = users
    .filter(({ emailVerified }) => emailVerified)
    .map(({ email }) => email?.toLowerCase());
  return [...new Set(addresses.filter((address) => address !== undefined))].sort();
}
