import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import { refusal } from '../../refusals/refusals.ts';
import { isClosed, initialCustomer } from '../customer-rules.ts';
import { prepareNewCustomer } from '../customers/new-customer.store.ts';
import { isLater, isOfStore, momentOf, type AppStoreEvent } from './app-store-event.ts';

/** A user whom an event names. A new customer gets the address and the name. */
export type AppStoreUser = Pick<CustomerDocument, 'email' | 'name'> & { customerId: string; type: 'user' };

/** The most users that Firebase Auth looks up in one call. */
const MAX_LOOKUPS = 100;

/** Maximum number of transfers that are followed for one event. */
const MAX_TRANSFERS = 10;

/** Unknown ids are left out. */
export async function findUsers({ auth }: Backend, uids: readonly string[]): Promise<AppStoreUser[]> {
  const wanted = uids.slice(0, MAX_LOOKUPS);
  if (wanted.length === 0) return [];
  const { users } = await auth.getUsers(wanted.map((uid) => ({ uid }))).catch((cause: unknown) => {
    throw refusal('auth_unavailable', {}, { cause });
  });
  return wanted
    .flatMap((uid) => users.filter((user) => user.uid === uid))
    .map(({ uid, email, displayName }) => ({
      customerId: uid,
      type: 'user',
      email: email?.toLowerCase() ?? null,
      name: displayName ?? null,
    }));
}

export interface AppStoreOwner {
  user: AppStoreUser;
  /** Undefined if the user has no customer document yet. */
  customer: CustomerDocument | undefined;
}

/**
 * Finds the present owner of the purchase of a user that an event is about. Each later transfer of its store leads to
 * the next user: from Ada to Ben, and from Ben to Cleo.
 *
 * @returns undefined if the present owner was deleted
 * @throws Refusal `customer_closed` while the present owner is being deleted
 */
export async function findPresentOwner(
  tx: Tx,
  user: AppStoreUser,
  event: AppStoreEvent,
  now: Date,
): Promise<AppStoreOwner | undefined> {
  let owner: AppStoreOwner = { user, customer: await tx.customers.get(user.customerId) };
  let since = momentOf(event);
  for (let count = 0; count < MAX_TRANSFERS; count++) {
    const transfer = owner.customer?.storeTransfer;
    if (transfer === undefined || !isLater(transfer, since) || !isOfStore(transfer, event.store ?? '')) break;
    const next = await tx.customers.get(transfer.to);
    // Each user who gets purchases has a customer document, so this user was deleted.
    if (next === undefined) return undefined;
    owner = { user: { customerId: transfer.to, type: 'user', email: null, name: null }, customer: next };
    since = transfer;
  }
  if (owner.customer !== undefined && isClosed(owner.customer, now)) throw refusal('customer_closed');
  return owner;
}

/**
 * @throws Refusal `customer_closed` for a user who was deleted since the event arrived
 */
export async function getOrCreateAppStoreCustomer(
  backend: Backend,
  tx: Tx,
  { user, customer }: AppStoreOwner,
): Promise<CustomerDocument> {
  if (customer !== undefined) return customer;
  if (!(await prepareNewCustomer(backend, tx, user))) throw refusal('customer_closed');
  const created = initialCustomer(user, backend.now());
  tx.customers.create(user.customerId, created);
  return created;
}
