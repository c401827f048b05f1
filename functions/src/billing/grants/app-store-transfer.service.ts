import type { Backend } from '../../backend.ts';
import { logWarning } from '../../common/log.ts';
import type { Tx } from '../../firestore/db.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import { refusal } from '../../refusals/refusals.ts';
import { isClosed } from '../customer-rules.ts';
import { readHoldingSources } from '../subscriptions/subscription.store.ts';
import {
  isLater,
  isAppStoreGrant,
  isOfStore,
  momentOf,
  uidsAmong,
  type AppStoreEvent,
} from './app-store-event.ts';
import { momentOfGrant, storeOfGrant } from './app-store-grant.ts';
import {
  findUsers,
  getOrCreateAppStoreCustomer,
  findPresentOwner,
  type AppStoreUser,
} from './app-store-user.store.ts';
import { syncClaimsAfterGrant, writeGrants } from './grant.service.ts';

/**
 * Moves the purchases of users in one store to another user, who has restored them with an account of that store. The
 * purchases in other stores stay, because the event says nothing about them. Stores the transfer, so that a late event
 * of a purchase reaches the other user.
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
    const owner = await backend.db.run((tx) => move(backend, tx, { from: source, to, event }));
    await syncClaimsAfterGrant(backend, source.customerId);
    if (owner !== undefined) await syncClaimsAfterGrant(backend, owner);
  }
}

interface Transfer {
  from: AppStoreUser;
  to: AppStoreUser;
  event: AppStoreEvent;
}

/** @returns the uid of the user who has the purchases now; undefined if this user was deleted */
async function move(backend: Backend, tx: Tx, { from, to, event }: Transfer): Promise<string | undefined> {
  const now = backend.now();
  const moment = momentOf(event);
  const [stored, owner] = await Promise.all([
    tx.customers.get(from.customerId),
    findPresentOwner(tx, to, event, now),
  ]);
  if (stored !== undefined && isClosed(stored, now)) throw refusal('customer_closed');
  if (owner === undefined) return undefined;
  const { customerId } = owner.user;
  if (customerId === from.customerId) return customerId;
  const grants = await grantsBefore(tx, from.customerId, event);
  const present = await tx.subscriptions(customerId).getAllIntact([...grants.keys()]);
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
    const { store } = event;
    const storeTransfer = { to: to.customerId, ...moment, ...(store && { store }) };
    tx.customers.update(from.customerId, { storeTransfer });
  }
  return customerId;
}

/** Finds the purchases that a transfer moves. Leaves out each purchase that had an event at its moment or later. */
async function grantsBefore(
  tx: Tx,
  customerId: string,
  transfer: AppStoreEvent,
): Promise<Map<string, SubscriptionDocument>> {
  const { subscriptions } = await readHoldingSources(tx, customerId, { type: 'user' });
  return new Map(
    subscriptions
      .filter(({ id, data }) => isAppStoreGrant(id) && isOfStore(transfer, storeOfGrant(data)))
      .filter(({ data }) => isLater(momentOf(transfer), momentOfGrant(data)))
      .map(({ id, data }) => [id, data]),
  );
}
