import { randomUUID } from 'node:crypto';
import type { Backend } from '../backend.ts';
import { logWarning } from '../common/log.ts';
import type { Db } from '../firestore/db.ts';
import { REMOVED } from '../firestore/writes.ts';
import { refusal } from '../refusals/refusals.ts';

/**
 * Longer than the work under a lease usually takes. If the work takes longer, it may overwrite a newer value of the
 * next work. The reconciliation corrects this value.
 */
const LEASE_MS = 120_000;

/** The lease of a customer for one kind of work. */
export interface CustomerLease {
  readonly customerId: string;
  /**
   * The work that needs the lease. Seat syncs, changes of line items, and each change, cancellation and resumption for
   * a team share the lease `line-items`.
   */
  readonly kind: 'line-items' | 'contact';
}

const FIELDS = { 'line-items': 'lineItemsLease', contact: 'contactLease' } as const;

/**
 * Does work under a lease: no other work with the same lease runs for the customer.
 *
 * @param work gets the key of the lease
 * @returns the result of the work; undefined for a user or team that is no customer
 * @throws Refusal `busy` while other work has the lease
 */
export async function underLease<Result>(
  { db, now }: Pick<Backend, 'db' | 'now'>,
  lease: CustomerLease,
  work: (key: string) => Promise<Result>,
): Promise<Result | undefined> {
  const key = await acquireLease(db, lease, now());
  if (key === undefined) return undefined;
  try {
    return await work(key);
  } finally {
    await releaseLease(db, lease, key).catch((error: unknown) => {
      logWarning(`A lease of the customer ${lease.customerId} was not released, and will expire`, error);
    });
  }
}

/**
 * @returns the key of the lease; undefined for a user or team that is no customer
 * @throws Refusal `busy` while other work has the lease
 */
async function acquireLease(
  db: Db,
  { customerId, kind }: CustomerLease,
  now: Date,
): Promise<string | undefined> {
  const field = FIELDS[kind];
  const key = randomUUID();
  return db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer === undefined) return undefined;
    const current = customer[field];
    // If the stored key is ours, an earlier attempt of this transaction has committed, and the answer was lost. Then
    // we have the lease.
    if (current && current.until > now && current.key !== key) throw refusal('busy');
    tx.customers.update(customerId, { [field]: { key, until: new Date(now.getTime() + LEASE_MS) } });
    return key;
  });
}

/** Does nothing if the lease has expired and other work has acquired the lease. */
async function releaseLease(db: Db, { customerId, kind }: CustomerLease, key: string): Promise<void> {
  const field = FIELDS[kind];
  await db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer?.[field]?.key === key) tx.customers.update(customerId, { [field]: REMOVED });
  });
}
