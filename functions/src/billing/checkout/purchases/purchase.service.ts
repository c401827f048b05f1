import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import type { OneTimePurchase } from '../../../firestore/documents/purchase.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { planOfLookupKey } from '../../../settings/plans.ts';
import { requirePriceId } from '../../catalogue/price-ids.ts';
import { withStripeCustomer } from '../../customers/stripe-customer.service.ts';
import { syncOneTimePurchase } from '../../purchases/sync-purchase.service.ts';
import {
  createCheckoutSession,
  expireCheckoutSession,
  findStoredSession,
} from '../../stripe/checkout-sessions.ts';
import { checkoutRefusal, wasKeyUsedWithOtherParams, needsNewKeyAfter } from '../../stripe/stripe-errors.ts';
import type { StripePage } from '../../stripe/stripe-page.ts';
import type { Subject } from '../../subject.ts';
import { reserveDespiteUnsentBankTransfer } from '../processing/unsent-transfer.service.ts';
import { requireOneTimeItem } from './purchasable.ts';
import { purchaseParams } from './purchase-session.ts';
import {
  dropPurchase,
  reservePurchase,
  savePurchaseSession,
  type PreparedPurchase,
  type PurchaseWithId,
} from './purchase.store.ts';

/** An attempt fails if the page was already paid, has expired or is unknown, or if the settings have changed since. */
const MAX_PAGE_ATTEMPTS = 5;

export interface ItemChoice {
  /** Slug of a plan or credit pack. */
  item: string;
  /** Number of credit packs; 1 for a plan. */
  quantity: number;
  /** Id of a promotion code at Stripe. */
  promotionCodeId?: string | undefined;
  stripeReturnUrls: PreparedPurchase['stripeReturnUrls'];
}

/**
 * Opens the page of a one-time purchase: a plan without an end, or credits. A customer has one such page at a time:
 *
 * - Concurrent requests for the same order share an idempotency key, and get the same page.
 * - A later request for the same order continues the purchase.
 * - A request for another order first ends the page of the replaced purchase.
 *
 * @throws Refusal as its route declares
 */
export async function beginPurchase(
  backend: Backend,
  subject: Subject,
  { item: slug, quantity, ...rest }: ItemChoice,
): Promise<StripePage> {
  const item = requireOneTimeItem(backend.config, slug, subject.type);
  if (item.credits === null && quantity !== 1) {
    throw refusal('plan_quantity_invalid');
  }
  return withStripeCustomer(backend, subject, async (stripeCustomerId) => {
    const priceId = await requirePriceId(await backend.stripe(), {
      name: item.name,
      lookupKey: item.price.lookupKey,
    });
    return openPage(backend, { subject, stripeCustomerId, item, priceId, quantity, ...rest });
  });
}

async function openPage(backend: Backend, order: PreparedPurchase): Promise<StripePage> {
  const { customerId } = order.subject;
  const plan = planOfLookupKey(backend.config.plans, order.item.price.lookupKey);
  for (let finished = 0; finished < MAX_PAGE_ATTEMPTS; finished++) {
    const current = await reserveDespiteUnsentBankTransfer(backend, customerId, plan, () =>
      reservePurchase(backend, order),
    );
    await endReplacedPages(backend, customerId, current.purchase);
    const session = await openSession(backend, order, current);
    if (session?.status === 'open' && session.url !== null) {
      return { url: session.url, id: session.id };
    }
    if (session === undefined) await dropPurchase(backend.db, customerId, current);
    else await syncOneTimePurchase(backend, { customerId, purchaseId: current.id });
  }
  throw refusal('busy');
}

/**
 * @returns undefined if Stripe does not know the stored session, or got the idempotency key with other parameters
 *   before, for example because the settings have changed since
 */
async function openSession(
  backend: Backend,
  order: PreparedPurchase,
  stored: PurchaseWithId,
): Promise<Stripe.Checkout.Session | undefined> {
  const { db, config, now } = backend;
  const { id, purchase } = stored;
  const stripe = await backend.stripe();
  if (purchase.sessionId !== null) return findStoredSession(stripe, purchase.sessionId);
  const params = purchaseParams(config, order, stored);
  const { customerId } = order.subject;
  const session = await createUnlessKeyReused(createCheckoutSession(stripe, params, `purchase-${id}`), () =>
    dropPurchase(db, customerId, stored),
  );
  if (session === undefined) return undefined;
  const outcome = await savePurchaseSession(db, customerId, { id, sessionId: session.id }, now());
  if (outcome === 'saved') return session;
  await expireCheckoutSession(stripe, session.id);
  throw refusal(outcome);
}

async function endReplacedPages(
  backend: Backend,
  customerId: string,
  { replacedPurchaseIds = [] }: OneTimePurchase,
): Promise<void> {
  const replaced = await backend.db.purchases(customerId).getAllIntact(replacedPurchaseIds);
  for (const [id, purchase] of replaced) await endPage(backend, customerId, { id, purchase });
}

/** Ends the page of a replaced purchase. If the customer has paid in the meantime, the customer gets the item. */
async function endPage(
  backend: Backend,
  customerId: string,
  { id, purchase }: PurchaseWithId,
): Promise<void> {
  const { sessionId } = purchase;
  if (sessionId === null) return dropPurchase(backend.db, customerId, { id, purchase });
  await expireCheckoutSession(await backend.stripe(), sessionId);
  await syncOneTimePurchase(backend, { customerId, purchaseId: id });
}

/**
 * @param drop removes the purchase. Called if Stripe would repeat the error for this key: the next request then stores
 *   a purchase with another key
 * @returns undefined if Stripe got the idempotency key with other parameters before
 */
async function createUnlessKeyReused(
  call: Promise<Stripe.Checkout.Session>,
  drop: () => Promise<void>,
): Promise<Stripe.Checkout.Session | undefined> {
  try {
    return await call;
  } catch (error) {
    if (wasKeyUsedWithOtherParams(error)) return undefined;
    if (needsNewKeyAfter(error)) await drop();
    throw checkoutRefusal(error) ?? error;
  }
}
