import type Stripe from 'stripe';
import type { StripePage } from '../../stripe/stripe-page.ts';
import {
  convertWithCopy,
  type ConversionSettings,
} from '../../subscriptions/from-stripe/convert-subscription.ts';
import type { PlanSubscription } from '../../subscriptions/from-stripe/plan-subscriptions.service.ts';
import { isReplaceable, type ReplaceableFields } from '../../subscriptions/overlap/overlap.ts';

/**
 * The page for a customer who wants to buy a plan. docs/billing.md has the table of states.
 *
 * - `checkout`: the page for a new subscription, which replaces the subscriptions with the ids in `replaces`.
 * - `invoice`: the page of an open invoice. Paying it continues a subscription that is past due.
 * - `portal`: Stripe's page for managing subscriptions, in all other cases.
 */
export type Destination =
  | { kind: 'checkout'; replaces: readonly string[] }
  | { kind: 'invoice'; page: StripePage }
  | { kind: 'portal' };

/** The data of a subscription that decide the destination. */
interface DecidingFields extends ReplaceableFields {
  id: string;
  /** The open invoice that the customer has to pay. */
  invoiceToPay: Pick<Stripe.Invoice, 'id' | 'hosted_invoice_url'> | null;
}

/** The metadata of a checkout session has room for this many ids. */
const MAX_REPLACED = 10;

/**
 * Makes the fields that decide the destination, from Stripe's subscription and our copy. `isReplaceable` needs
 * `grace_until`. A sync finds the exact `grace_until`, with one more call to Stripe. Here `grace_until` is estimated if
 * our copy does not have it, which saves the call. A wrong estimate only leads to a less suitable page, for example to
 * the portal instead of a checkout.
 */
export function decidingFieldsOf(
  {
    subscription,
    items,
    copy,
  }: Pick<PlanSubscription<Stripe.Subscription>, 'subscription' | 'items' | 'copy'>,
  settings: ConversionSettings,
): Omit<DecidingFields, 'invoiceToPay'> {
  return { ...convertWithCopy(subscription, items, settings, copy), id: subscription.id };
}

export function decideDestination(subscriptions: readonly DecidingFields[], now: Date): Destination {
  const irreplaceable = subscriptions.filter((subscription) => !isReplaceable(subscription, now));
  if (irreplaceable.length === 0) {
    // Subscriptions beyond the first MAX_REPLACED stay running. In practice nobody has so many.
    return { kind: 'checkout', replaces: subscriptions.slice(0, MAX_REPLACED).map(({ id }) => id) };
  }
  if (!irreplaceable.every(({ status }) => status === 'past_due')) return { kind: 'portal' };
  const page = irreplaceable.map(pageOfInvoice).find((found) => found !== undefined);
  return page === undefined ? { kind: 'portal' } : { kind: 'invoice', page };
}

function pageOfInvoice({ invoiceToPay: invoice }: DecidingFields): StripePage | undefined {
  return invoice?.hosted_invoice_url ? { url: invoice.hosted_invoice_url, id: invoice.id } : undefined;
}
