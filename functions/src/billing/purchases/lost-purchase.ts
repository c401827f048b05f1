import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { logFault } from '../../common/log.ts';
import type { OneTimePurchase } from '../../firestore/documents/purchase.ts';
import type { PlansAndExtras } from '../../settings/extras.ts';
import { findPlan } from '../../settings/plans.ts';
import { findCheckoutSession } from '../stripe/checkout-sessions.ts';
import { withStripeRefusals } from '../stripe/stripe-errors.ts';
import { ITEM_METADATA_FIELD, purchaseIdOf } from './purchase-metadata.ts';
import { chargeOf, intentOf, RETRIEVE_PAYMENT } from './purchase-state.ts';

const RETRIEVE_ORDER = { expand: [...RETRIEVE_PAYMENT.expand, 'line_items'] };

/**
 * The document of a purchase that is missing, made from its checkout session. The status is that of an open page.
 * Example: somebody has restored a backup that is older than the purchase. Packs give as many credits as they have in
 * the settings now. One call to Stripe.
 *
 * @returns undefined if the session is for another purchase, or its item is no longer configured
 */
export async function describeLostPurchase(
  { config, stripe }: Backend,
  { purchaseId, sessionId }: { purchaseId: string; sessionId: string },
): Promise<OneTimePurchase | undefined> {
  const session = await findCheckoutSession(await stripe(), sessionId, RETRIEVE_ORDER);
  if (session === undefined || purchaseIdOf(session) !== purchaseId) return undefined;
  const item = findSoldItem(config, session);
  const [line] = session.line_items?.data ?? [];
  if (item === undefined || !line?.price) return undefined;
  const { quantity, price } = line;
  const packs = quantity ?? 1;
  return {
    status: 'open',
    item: item.slug,
    lookupKey: item.lookupKey,
    credits: item.credits === null ? null : item.credits * packs,
    priceId: price.id,
    quantity: packs,
    stripeReturnUrls: { success: session.success_url ?? '', cancel: session.cancel_url ?? '' },
    sessionId,
    paymentIntentId: null,
    amount: null,
    currency: null,
    createdAt: dateOf(session),
    paidAt: dateOf(chargeOf(intentOf(session)) ?? session),
    refundedAt: null,
    checkAt: null,
  };
}

function dateOf({ created }: { created: number }): Date {
  return new Date(created * 1000);
}

interface SoldItem {
  slug: string;
  name: string;
  lookupKey: string;
  /** Credits of one pack; null for a plan. */
  credits: number | null;
}

/** The plan or credit pack that the metadata name. Undefined if it is no longer configured. */
export function findSoldItem(
  { plans, extras }: PlansAndExtras,
  { metadata }: { metadata: Stripe.Metadata | null },
): SoldItem | undefined {
  const slug = metadata?.[ITEM_METADATA_FIELD];
  if (slug === undefined) return undefined;
  const pack = extras.creditPacks.find((pack) => pack.slug === slug);
  const found = pack ?? findPlan(plans, slug);
  const lookupKey = found?.prices?.once?.lookupKey;
  if (found === undefined || lookupKey === undefined) return undefined;
  return { slug: found.slug, name: found.name, lookupKey, credits: pack?.credits ?? null };
}

/** Logs a purchase that was paid and could not be written, because nobody gets what was bought. One call to Stripe. */
export async function reportLostPurchase(
  backend: Backend,
  concerned: { customerId: string; purchaseId: string; sessionId: string },
): Promise<void> {
  const stripe = await backend.stripe();
  const session = await withStripeRefusals(() =>
    findCheckoutSession(stripe, concerned.sessionId, RETRIEVE_PAYMENT),
  );
  if (session === undefined || !isPaid(session)) return;
  logFault(
    'A paid purchase gives nothing',
    concerned,
    'Its customer or its item is gone. Refund it, unless it is of another Firebase project with this Stripe account.',
  );
}

function isPaid(session: Stripe.Checkout.Session): boolean {
  const isRefunded = chargeOf(intentOf(session))?.refunded === true;
  return session.status === 'complete' && session.payment_status !== 'unpaid' && !isRefunded;
}
