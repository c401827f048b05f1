import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { OneTimePurchase } from '../../firestore/documents/purchase.ts';
import { REMOVED } from '../../firestore/writes.ts';
import type { Holding } from '../subscriptions/holding.ts';
import { readHoldingSources } from '../subscriptions/subscription.store.ts';
import { updateHolding } from '../subscriptions/sync/update-holding.store.ts';
import { changeBalance } from './credits.service.ts';

interface PurchaseOfCustomer {
  customerId: string;
  customer: CustomerDocument;
  purchaseId: string;
  purchase: OneTimePurchase;
}

interface Settlement extends PurchaseOfCustomer {
  kind: 'bought' | 'refunded';
}

/**
 * Gives a customer the plan or credits of a purchase, or takes them back. Call `settle` in the transaction that stores
 * the payment.
 *
 * @returns the plan and the add-ons of the customer afterwards; undefined for credits
 */
export async function settle(backend: Backend, tx: Tx, settlement: Settlement): Promise<Holding | undefined> {
  const { credits } = settlement.purchase;
  if (credits === null) return changeOwnedPlans(backend, tx, settlement);
  await changeCredits(backend, tx, settlement, credits);
  return undefined;
}

async function changeCredits(
  { now }: Backend,
  tx: Tx,
  { customerId, purchaseId, purchase, kind }: Settlement,
  credits: number,
): Promise<void> {
  const amount = kind === 'bought' ? credits : -credits;
  await changeBalance(tx, { customerId, amount, key: purchaseId, kind, reason: purchase.item }, now());
}

async function changeOwnedPlans(
  backend: Backend,
  tx: Tx,
  { customerId, customer, purchaseId, purchase, kind }: Settlement,
): Promise<Holding> {
  const sources = await readHoldingSources(tx, customerId, customer);
  const others = Object.entries(customer.ownedPlans ?? {}).filter(([id]) => id !== purchaseId);
  const own = kind === 'bought' ? [[purchaseId, purchase.lookupKey] as const] : [];
  const ownedPlans = Object.fromEntries([...others, ...own]);
  tx.customers.update(customerId, { ownedPlans });
  const subscriptions = sources.subscriptions.map(({ data }) => data);
  return updateHolding(backend, tx, {
    customerId,
    customer,
    ownedPlans,
    subscriptions,
    team: sources.team,
  });
}

/**
 * Removes a purchase whose page is closed from `openPurchase`, so that the customer can start another purchase. Two
 * pages must never be open. Therefore a replaced purchase can become the open purchase again:
 *
 * 1. A request stores a new purchase, which replaces the purchases in `replacedPurchaseIds`. The process dies before it
 *    has ended their pages.
 * 2. The new purchase is closed without a page.
 * 3. The last purchase in `replacedPurchaseIds` that is still open becomes the customer's open purchase again.
 */
export async function clearOpenPurchase(
  tx: Tx,
  { customerId, customer, purchaseId, purchase }: PurchaseOfCustomer,
): Promise<void> {
  if (customer.openPurchase !== purchaseId) return;
  const replaced = await openAmong(tx, customerId, purchase.replacedPurchaseIds ?? []);
  tx.customers.update(customerId, { openPurchase: replaced ?? REMOVED });
}

async function openAmong(tx: Tx, customerId: string, ids: readonly string[]): Promise<string | undefined> {
  if (ids.length === 0) return undefined;
  const stored = await tx.purchases(customerId).getAllIntact(ids);
  return ids.findLast((id) => stored.get(id)?.status === 'open');
}
