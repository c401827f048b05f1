import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import type { Reads } from '../../../firestore/db.ts';
import type { SubscriptionDocument } from '../../../firestore/documents/subscription.ts';
import { isMissing } from '../../stripe/stripe-errors.ts';
import { idOf, isLinkOfLiveMode } from '../../stripe/stripe-ids.ts';
import { isRunning } from '../status.ts';
import {
  convertSubscription,
  convertWithCopy,
  dueTimeOf,
  pastDueSinceOf,
  toDate,
  WITH_LATEST_INVOICE,
  type ConversionSettings,
} from './convert-subscription.ts';
import { findItemsWithLookupKeys } from './subscription-items.store.ts';

/*
 * Five functions make our document of a subscription. Each does less than the one above it:
 *
 * | function | asks Stripe for | reads | takes `past_due_since` from |
 * | --- | --- | --- | --- |
 * | `retrieveSubscriptionDocument` | subscription, open invoices | prices | open invoice, copy, estimate |
 * | `makeSubscriptionDocument` | open invoices | prices | open invoice, copy, estimate |
 * | `estimateSubscriptionDocument` | - | prices | copy, estimate |
 * | `convertWithCopy` | - | - | copy, estimate |
 * | `convertSubscription` | - | - | the input `pastDueSince`, estimate |
 *
 * The last column is in this order: the first one that exists is taken. `pastDueSinceOrEstimate` makes the estimate.
 */

/**
 * Retrieves a subscription from Stripe, and makes our document of it.
 *
 * @param sought the id, and the Stripe customer that a running subscription must have. Without it, every
 *   Stripe customer is accepted
 * @param copyBefore our present copy
 * @returns undefined if Stripe does not have the subscription, or if it runs for another Stripe customer
 * @throws the error of Stripe if our copy is of live mode, and Stripe does not know the subscription. Then the secret
 *   key is wrong: see `isLinkOfLiveMode`
 */
export async function retrieveSubscriptionDocument(
  backend: Backend,
  reads: Reads,
  sought: { subscriptionId: string; requiredStripeCustomerId?: string | undefined },
  copyBefore?: SubscriptionDocument,
): Promise<SubscriptionDocument | undefined> {
  const { subscriptions } = await backend.stripe();
  try {
    const subscription = await subscriptions.retrieve(sought.subscriptionId, WITH_LATEST_INVOICE);
    if (runsForAnother(subscription, sought.requiredStripeCustomerId)) return undefined;
    return await makeSubscriptionDocument(backend, reads, subscription, copyBefore);
  } catch (error) {
    if (isMissing(error) && !isLinkOfLiveMode(copyBefore?.stripeLink)) return undefined;
    throw error;
  }
}

/**
 * True for a running subscription of another Stripe customer than the linked one. It must not give a plan: nobody could
 * change or cancel it here, and its events find no customer of ours.
 */
export function runsForAnother(
  subscription: Stripe.Subscription,
  requiredStripeCustomerId: string | undefined,
): boolean {
  if (requiredStripeCustomerId === undefined || !isRunning(subscription)) return false;
  return idOf(subscription.customer) !== requiredStripeCustomerId;
}

/**
 * Makes our document of a subscription that Stripe has sent, with `latest_invoice` expanded. Asks Stripe only for the
 * open invoices of a past due subscription.
 */
export async function makeSubscriptionDocument(
  { config, now, stripe }: Backend,
  reads: Reads,
  subscription: Stripe.Subscription,
  copyBefore?: SubscriptionDocument,
): Promise<SubscriptionDocument> {
  const pastDueSince = (await findFirstDueTime(await stripe(), subscription)) ?? pastDueSinceOf(copyBefore);
  const items = await findItemsWithLookupKeys(reads, config, subscription, copyBefore);
  const invoiceBefore = copyBefore?.latest_invoice;
  return convertSubscription(subscription, items, { ...config, now: now(), pastDueSince, invoiceBefore });
}

/**
 * The time from which the grace is counted: when the first open invoice was due. Stripe may make later invoices while
 * the first invoice is unpaid. One call to Stripe for a past due subscription.
 *
 * @returns undefined if there is no open invoice or the subscription is not past due
 */
async function findFirstDueTime(
  { invoices }: Stripe,
  { id, status }: Stripe.Subscription,
): Promise<Date | undefined> {
  if (status !== 'past_due') return undefined;
  let first: number | undefined;
  for await (const invoice of invoices.list({ subscription: id, status: 'open', limit: 100 })) {
    const due = dueTimeOf(invoice);
    first = Math.min(due, first ?? due);
  }
  return first === undefined ? undefined : toDate(first);
}

/**
 * Makes our document of a subscription without asking Stripe. The beginning of its past due time is taken from our
 * copy, or estimated. Reads as many prices as `findItemsWithLookupKeys`.
 */
export async function estimateSubscriptionDocument(
  reads: Reads,
  settings: ConversionSettings,
  subscription: Stripe.Subscription,
  copyBefore?: SubscriptionDocument,
): Promise<SubscriptionDocument> {
  const items = await findItemsWithLookupKeys(reads, settings, subscription, copyBefore);
  return convertWithCopy(subscription, items, settings, copyBefore);
}
