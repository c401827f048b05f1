import type { Backend } from '../../backend.ts';
import { REMOVED } from '../../firestore/collection.ts';
import type { Tx } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { OneTimePurchase } from '../../firestore/documents/purchase.ts';
import type { Holding } from '../subscriptions/holding.ts';
import { readHoldingSources, applyHolding } from '../subscriptions/sync/holding.store.ts';
import { changeBalance } from './credits/credits.service.ts';

/** A purchase whose payment has arrived or was taken back. */
interface Settlement {
  customerId: string;
  customer: CustomerDocument;
  purchaseId: string;
  purchase: OneTimePurchase;
  kind: 'bought' | 'refunded';
}

/**
 * Gives a customer what was bought, or takes it back, in the transaction that stores the payment. Credits are changed
 * once for each payment. A plan changes the plan of the customer, and the limits of a team.
 *
 * @returns the plan and the add-ons of the customer afterwards, if a plan was bought
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
  const changed = { ...customer, ownedPlans };
  return applyHolding(backend, tx, { customerId, customer: changed, subscriptions, team: sources.team });
}

/** Clears the customer's open purchase if it is this one, so that they can start another. */
export function closePage(
  tx: Tx,
  customerId: string,
  { openPurchase }: CustomerDocument,
  purchaseId: string,
): void {
  if (openPurchase === purchaseId) tx.customers.update(customerId, { openPurchase: REMOVED });
}
