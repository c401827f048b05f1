import { randomUUID } from 'node:crypto';
import type { Backend } from '../backend.ts';
import { REMOVED } from '../firestore/collection.ts';
import type { Db } from '../firestore/db.ts';
import { refuse } from '../refusals.ts';

/** Longer than a sync takes with all retries of the Stripe client, so that two syncs of one kind never overlap. */
const LEASE_MS = 120_000;

/** A kind of sync that runs alone for each customer. */
export interface SyncOfCustomer {
  readonly customerId: string;
  /** The field of the customer with the lease. `seatSync` is for all changes of the line items of subscriptions. */
  readonly field: 'seatSync' | 'contactSync';
}

/**
 * Does work under the lease for a sync.
 *
 * @param work gets the key of the lease
 * @returns undefined for a user or team that is no customer
 * @throws Refusal `busy` while another sync of this kind has the lease
 */
export async function underLease<Result>(
  { db, now }: Pick<Backend, 'db' | 'now'>,
  sync: SyncOfCustomer,
  work: (key: string) => Promise<Result>,
): Promise<Result | undefined> {
  const key = await acquireLease(db, sync, now());
  if (key === undefined) return undefined;
  try {
    return await work(key);
  } finally {
    await releaseLease(db, sync, key);
  }
}

/**
 * Acquires the lease for a sync. It ends after `LEASE_MS` if it is not released.
 *
 * @returns the key of the lease; undefined for a user or team that is no customer
 * @throws Refusal `busy` while another sync of this kind has the lease
 */
async function acquireLease(
  db: Db,
  { customerId, field }: SyncOfCustomer,
  now: Date,
): Promise<string | undefined> {
  return db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer === undefined) return undefined;
    const lease = customer[field];
    if (lease && lease.until > now) throw refuse('busy');
    const key = randomUUID();
    tx.customers.update(customerId, { [field]: { key, until: new Date(now.getTime() + LEASE_MS) } });
    return key;
  });
}

/** Releases a lease. Does nothing if it has expired and another sync has acquired it. */
async function releaseLease(db: Db, { customerId, field }: SyncOfCustomer, key: string): Promise<void> {
  await db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer?.[field]?.key === key) tx.customers.update(customerId, { [field]: REMOVED });
  });
}
