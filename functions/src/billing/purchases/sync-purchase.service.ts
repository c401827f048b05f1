import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { logFault } from '../../common/log.ts';
import type { Tx } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { OneTimePurchase } from '../../firestore/documents/purchase.ts';
import { findStoredSession } from '../stripe/checkout-sessions.ts';
import { withStripeRefusals } from '../stripe/stripe-errors.ts';
import { syncClaims } from '../subscriptions/access/claims.service.ts';
import { storedHoldingOf, type StoredHolding } from '../subscriptions/stored-holding.ts';
import { isSynced, recordSynced, type EventIdAndType } from '../synced-events.store.ts';
import { withdrawCoveredCheckout } from './covered-checkout.service.ts';
import { cancelCoveredSubscriptions } from './covered.service.ts';
import { describeLostPurchase, reportLostPurchase } from './lost-purchase.ts';
import { chargeOf, intentOf, RETRIEVE_PAYMENT, purchaseAfter } from './purchase-state.ts';
import { clearOpenPurchase, settle } from './settle.service.ts';

interface PurchaseTarget {
  /** A uid or the id of a team. */
  customerId: string;
  purchaseId: string;
  /** The session of the purchase, if the calling function knows it. From this session a missing purchase is written. */
  sessionId?: string | undefined;
  /** The event that reported a change. The sync records the event. */
  event?: EventIdAndType | undefined;
}

interface Synced extends StoredHolding {
  type: CustomerDocument['type'];
  purchase: OneTimePurchase;
  checkout: CustomerDocument['checkout'];
  /** Undefined if nothing has changed. */
  kind?: Change | undefined;
}

type Change = 'bought' | 'refunded';

/**
 * Syncs a one-time purchase: copies the state of its payment, and gives or takes back the plan or the credits.
 * Idempotent. A missing purchase is written first, in the same transaction; if that is not possible, logs an error.
 *
 * Stripe is asked inside the transaction, so that an older state never overwrites a newer one: see `copySubscription`.
 *
 * @throws DamagedDocument
 */
export async function syncOneTimePurchase(backend: Backend, target: PurchaseTarget): Promise<void> {
  const synced = await withStripeRefusals(() => backend.db.run((tx) => copyPurchase(backend, tx, target)));
  const { customerId, purchaseId, sessionId } = target;
  if (synced === 'lost' && sessionId !== undefined) {
    await reportLostPurchase(backend, { customerId, purchaseId, sessionId });
  }
  if (synced === 'lost' || synced === 'unpaid') return;
  if (synced.kind === 'bought') reportAbandonedPayment(target, synced.purchase);
  if (synced.purchase.credits !== null) return;
  if (synced.type === 'user') await syncClaims(backend, customerId, synced);
  await withdrawCoveredCheckout(backend, customerId, synced);
  await cancelCoveredSubscriptions(backend, customerId, { id: purchaseId, purchase: synced.purchase });
}

/**
 * @returns `unpaid` if nothing was paid and nothing can be paid any more; `lost` if the customer does not exist, or if
 *   the purchase does not exist and cannot be written
 */
async function copyPurchase(
  backend: Backend,
  tx: Tx,
  target: PurchaseTarget,
): Promise<Synced | 'unpaid' | 'lost'> {
  const { customerId, purchaseId, event } = target;
  const [customer, existing, wasSynced] = await Promise.all([
    tx.customers.get(customerId),
    tx.purchases(customerId).get(purchaseId),
    isSynced(tx, event),
  ]);
  if (customer === undefined) return 'lost';
  const stored = existing ?? (await describeMissing(backend, target));
  if (stored === undefined) return 'lost';
  const { type, checkout } = customer;
  const holding = storedHoldingOf(backend.config.plans, customer);
  const lacksPlan = isPlanMissing(customer, purchaseId, stored);
  if (wasSynced && !lacksPlan) return { type, checkout, ...holding, purchase: stored };
  const current = await retrieveState(backend, stored);
  if (!wasSynced) recordSynced(tx, event, backend.now());
  if (current?.status !== 'open') {
    await clearOpenPurchase(tx, { customerId, customer, purchaseId, purchase: stored });
  }
  if (current === undefined) {
    tx.purchases(customerId).delete(purchaseId);
    return 'unpaid';
  }
  tx.purchases(customerId).set(purchaseId, current);
  const kind = changeBetween(lacksPlan ? undefined : stored.status, current.status);
  const changed =
    kind && (await settle(backend, tx, { customerId, customer, purchaseId, purchase: current, kind }));
  const held = changed && { planSlug: changed.plan.slug, addOns: changed.addOns };
  return { type, checkout, ...holding, ...held, purchase: current, kind };
}

async function describeMissing(
  backend: Backend,
  { purchaseId, sessionId }: PurchaseTarget,
): Promise<OneTimePurchase | undefined> {
  return sessionId === undefined ? undefined : describeLostPurchase(backend, { purchaseId, sessionId });
}

/** The customer has ordered again since, and may have paid for the same plan twice. */
function reportAbandonedPayment(
  { customerId: customer, purchaseId: purchase }: PurchaseTarget,
  { isAbandoned }: OneTimePurchase,
): void {
  if (isAbandoned !== true) return;
  logFault(
    'A bank transfer has arrived after the plan was ordered again',
    { customer, purchase },
    'If the customer has paid for the plan twice, refund one of the payments in Stripe.',
  );
}

/** True if the purchase has bought a plan that its customer lacks, because the customer's document was lost. */
function isPlanMissing(
  { ownedPlans = {} }: CustomerDocument,
  purchaseId: string,
  { status, credits }: OneTimePurchase,
): boolean {
  return status === 'paid' && credits === null && !Object.hasOwn(ownedPlans, purchaseId);
}

/** @param given the status whose effect the customer has; undefined if the customer has none */
function changeBetween(
  given: OneTimePurchase['status'] | undefined,
  current: OneTimePurchase['status'],
): Change | undefined {
  const wasPaid = given === 'paid';
  const isPaid = current === 'paid';
  if (wasPaid === isPaid) return undefined;
  return isPaid ? 'bought' : 'refunded';
}

/**
 * @returns undefined if nothing was paid and nothing can be paid any more
 * @throws the error of Stripe if it does not know a session of live mode: see `findStoredSession`
 */
async function retrieveState(
  backend: Backend,
  stored: OneTimePurchase,
): Promise<OneTimePurchase | undefined> {
  if (stored.sessionId === null) return undefined;
  const stripe = await backend.stripe();
  const session = await findStoredSession(stripe, stored.sessionId, RETRIEVE_PAYMENT);
  if (session === undefined) return undefined;
  return purchaseAfter(stored, session, {
    isDisputeLost: await isDisputeLost(stripe, session),
    now: backend.now(),
  });
}

/** One call to Stripe if the payment is disputed, otherwise none. */
async function isDisputeLost(stripe: Stripe, session: Stripe.Checkout.Session): Promise<boolean> {
  const intent = intentOf(session);
  if (intent === null || chargeOf(intent)?.disputed !== true) return false;
  const { data } = await stripe.disputes.list({ payment_intent: intent.id, limit: 100 });
  return data.some(({ status }) => status === 'lost');
}
