import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Backend } from '../../../backend.ts';
import { HOUR_MS } from '../../../common/durations.ts';
import type { Db, Tx } from '../../../firestore/db.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import type { OneTimePurchase } from '../../../firestore/documents/purchase.ts';
import { REMOVED } from '../../../firestore/writes.ts';
import { planOfLookupKey } from '../../../settings/plans.ts';
import { authorize } from '../../../teams/authorize.store.ts';
import { recordForTeamIn } from '../../audit.store.ts';
import { isClosed } from '../../customer-rules.ts';
import type { Subject } from '../../subject.ts';
import { requireNotOwned, requireOpenCustomerLinkedTo } from '../page/customer-may-buy.ts';
import { requireNoPaymentProcessing } from '../processing/processing-payments.store.ts';
import { withoutProof, type StripeReturnUrls } from '../redirects/return-url.ts';
import type { OneTimeItem } from './purchasable.ts';

export interface PreparedPurchase {
  subject: Subject;
  stripeCustomerId: string;
  item: OneTimeItem;
  priceId: string;
  quantity: number;
  /** Id of a promotion code at Stripe. */
  promotionCodeId?: string | undefined;
  stripeReturnUrls: OneTimePurchase['stripeReturnUrls'];
}

export interface PurchaseWithId {
  id: string;
  purchase: OneTimePurchase;
}

/**
 * Continues the customer's open purchase if it is for the same order. Otherwise stores a new purchase.
 *
 * Only one page may be open, so that the customer cannot pay twice. Therefore the calling function must end the pages
 * of the purchases in `replacedPurchaseIds` before the new purchase gets a page. If the process dies before these pages
 * have ended, the next request finds the purchases in `replacedPurchaseIds`.
 *
 * @throws Refusal as `requireOpenCustomerLinkedTo` and, for a plan, as `requireNotOwned` and
 *   `requireNoPaymentProcessing`; `team_not_found` or `forbidden` if the user is not allowed to buy for the team
 */
export async function reservePurchase(
  { db, config, now }: Backend,
  order: PreparedPurchase,
): Promise<PurchaseWithId> {
  const { subject, stripeCustomerId, item } = order;
  const { customerId, actor, type } = subject;
  return db.run(async (tx) => {
    const [stored] = await Promise.all([
      tx.customers.get(customerId),
      type === 'team' && authorize(tx, actor, customerId, 'billing:manage'),
    ]);
    const customer = requireOpenCustomerLinkedTo(stored, { stripeCustomerId, now: now() });
    const plan = planOfLookupKey(config.plans, item.price.lookupKey);
    if (plan) {
      requireNotOwned(config.plans, customer, { type, plan });
      await requireNoPaymentProcessing(tx, config.plans, customerId, plan);
    }
    const open = await readOpen(tx, customerId, customer);
    if (open && hasSameContents(open.purchase, order)) return open;
    const replacedPurchaseIds =
      open === undefined ? [] : [...(open.purchase.replacedPurchaseIds ?? []), open.id];
    return storePurchase(tx, order, { replacedPurchaseIds, now: now() });
  });
}

async function readOpen(
  tx: Tx,
  customerId: string,
  { openPurchase: id }: CustomerDocument,
): Promise<PurchaseWithId | undefined> {
  const purchase = id === undefined ? undefined : await tx.purchases(customerId).get(id);
  return id !== undefined && purchase?.status === 'open' ? { id, purchase } : undefined;
}

function hasSameContents(purchase: OneTimePurchase, order: PreparedPurchase): boolean {
  const { priceId, quantity, item, stripeReturnUrls } = order;
  // A page keeps the proof of the day on which it was made. A purchase without a page needs the present proof.
  const comparable = purchase.sessionId === null ? (urls: StripeReturnUrls) => urls : withoutProof;
  return (
    purchase.priceId === priceId &&
    purchase.quantity === quantity &&
    purchase.credits === creditsOf(item, quantity) &&
    purchase.promotionCodeId === order.promotionCodeId &&
    isDeepStrictEqual(comparable(purchase.stripeReturnUrls), comparable(stripeReturnUrls))
  );
}

function creditsOf({ credits }: OneTimeItem, quantity: number): number | null {
  return credits === null ? null : credits * quantity;
}

function storePurchase(
  tx: Tx,
  order: PreparedPurchase,
  { replacedPurchaseIds, now }: { replacedPurchaseIds: string[]; now: Date },
): PurchaseWithId {
  const { subject, item, priceId, quantity, stripeReturnUrls, promotionCodeId } = order;
  const { customerId } = subject;
  const id = randomUUID();
  const purchase: OneTimePurchase = {
    ...(promotionCodeId !== undefined && { promotionCodeId }),
    ...(replacedPurchaseIds.length > 0 && { replacedPurchaseIds }),
    stripeReturnUrls,
    priceId,
    quantity,
    status: 'open',
    item: item.slug,
    lookupKey: item.price.lookupKey,
    credits: creditsOf(item, quantity),
    sessionId: null,
    paymentIntentId: null,
    amount: null,
    currency: null,
    createdAt: now,
    paidAt: null,
    refundedAt: null,
    checkAt: new Date(now.getTime() + HOUR_MS),
  };
  tx.purchases(customerId).create(id, purchase);
  tx.customers.update(customerId, { openPurchase: id });
  const details = { plan: item.slug, quantity: String(quantity) };
  recordForTeamIn(tx, subject, { action: 'billing.checkout_begun', at: now, details });
  return { id, purchase };
}

/**
 * Stores the id of the session that was created for a purchase, and removes `replacedPurchaseIds`. Call it after the
 * pages of the purchases in `replacedPurchaseIds` have ended.
 *
 * @returns `saved`, or the code of a refusal: another purchase has replaced this one, or the customer was closed
 */
export async function savePurchaseSession(
  db: Db,
  customerId: string,
  { id, sessionId }: { id: string; sessionId: string },
  now: Date,
): Promise<'saved' | 'checkout_superseded' | 'customer_closed'> {
  return db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer === undefined || isClosed(customer, now)) return 'customer_closed';
    const purchase = customer.openPurchase === id ? await tx.purchases(customerId).get(id) : undefined;
    if (purchase === undefined) return 'checkout_superseded';
    if (purchase.sessionId !== sessionId)
      tx.purchases(customerId).update(id, { sessionId, replacedPurchaseIds: REMOVED });
    return 'saved';
  });
}

/**
 * Deletes a purchase whose page nobody can pay. Does nothing if the purchase has another session than the one that was
 * read: a concurrent request has given the customer another page, which can be paid.
 */
export async function dropPurchase(
  db: Db,
  customerId: string,
  { id, purchase }: PurchaseWithId,
): Promise<void> {
  await db.run(async (tx) => {
    const [customer, stored] = await Promise.all([
      tx.customers.get(customerId),
      tx.purchases(customerId).get(id),
    ]);
    if (stored !== undefined && stored.sessionId !== purchase.sessionId) return;
    if (customer?.openPurchase === id) tx.customers.update(customerId, { openPurchase: REMOVED });
    tx.purchases(customerId).delete(id);
  });
}
