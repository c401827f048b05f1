import type { Backend } from '../../backend.ts';
import { logWarning } from '../../common/log.ts';
import type { Tx } from '../../firestore/db.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import { refusal } from '../../refusals/refusals.ts';
import { isClosed } from '../customer-rules.ts';
import { readHoldingSources } from '../subscriptions/sync/holding.store.ts';
import {
  isLater,
  isAppStoreGrant,
  momentOf,
  uidsAmong,
  type Moment,
  type AppStoreEvent,
} from './app-store-event.ts';
import { momentOfGrant } from './app-store-grant.ts';
import {
  findUsers,
  getOrCreateAppStoreCustomer,
  findPresentOwner,
  type AppStoreUser,
} from './app-store-user.ts';
import { syncClaimsAfterGrant, writeGrants } from './grant.ts';

/**
 * Moves the purchases of users to another user, who has restored the purchases with the same account of the store.
 * Stores the transfer, so that a late event of a purchase reaches the other user.
 *
 * @throws Refusal `customer_closed`
 */
export async function transferPurchases(backend: Backend, event: AppStoreEvent): Promise<void> {
  const from = await findUsers(backend, uidsAmong(event.transferred_from ?? []));
  const [to] = await findUsers(backend, uidsAmong(event.transferred_to ?? []));
  if (to === undefined) {
    logWarning('Purchases in an app store were transferred to no user', event.id);
    return;
  }
  for (const source of from.filter(({ customerId }) => customerId !== to.customerId)) {
    const moved = { from: source, to, moment: momentOf(event) };
    const owner = await backend.db.run((tx) => move(backend, tx, moved));
    await syncClaimsAfterGrant(backend, source.customerId);
    if (owner !== undefined) await syncClaimsAfterGrant(backend, owner);
  }
}

interface Transfer {
  from: AppStoreUser;
  to: AppStoreUser;
  moment: Moment;
}

/** @returns the uid of the user who has the purchases now; undefined if this user was deleted */
async function move(backend: Backend, tx: Tx, { from, to, moment }: Transfer): Promise<string | undefined> {
  const now = backend.now();
  const [stored, owner] = await Promise.all([
    tx.customers.get(from.customerId),
    findPresentOwner(tx, to, moment, now),
  ]);
  if (stored !== undefined && isClosed(stored, now)) throw refusal('customer_closed');
  if (owner === undefined) return undefined;
  const { customerId } = owner.user;
  if (customerId === from.customerId) return customerId;
  const grants = await grantsBefore(tx, from.customerId, moment);
  const present = await tx.subscriptions(customerId).getIntact([...grants.keys()]);
  const source = await getOrCreateAppStoreCustomer(backend, tx, { user: from, customer: stored });
  const target = await getOrCreateAppStoreCustomer(backend, tx, owner);

  const gone = new Map([...grants.keys()].map((id) => [id, undefined] as const));
  await writeGrants(backend, tx, { customerId: from.customerId, customer: source }, gone);
  const arriving = [...grants].filter(([id, grant]) => {
    const there = present.get(id);
    return there === undefined || isLater(momentOfGrant(grant), momentOfGrant(there));
  });
  await writeGrants(backend, tx, { customerId, customer: target }, new Map(arriving));
  if (source.storeTransfer === undefined || isLater(moment, source.storeTransfer)) {
    tx.customers.update(from.customerId, { storeTransfer: { to: to.customerId, ...moment } });
  }
  return customerId;
}

/** Finds the purchases of a user. Leaves out each purchase that had an event at the moment or later. */
async function grantsBefore(
  tx: Tx,
  customerId: string,
  moment: Moment,
): Promise<Map<string, SubscriptionDocument>> {
  const { subscriptions } = await readHoldingSources(tx, customerId, { type: 'user' });
  return new Map(
    subscriptions
      .filter(({ id, data }) => isAppStoreGrant(id) && isLater(moment, momentOfGrant(data)))
      .map(({ id, data }) => [id, data]),
  );
}
