import { randomUUID } from 'node:crypto';
import { REMOVED } from '../../firestore/collection.ts';
import type { Db } from '../../firestore/db.ts';
import { refuse } from '../../refusals.ts';

/** Longer than a sync takes with all retries of the Stripe client, so that two syncs of a team never overlap. */
const LEASE_MS = 120_000;

/**
 * Acquires the lease for syncing the seats of a team. It ends after `LEASE_MS` if it is not released.
 *
 * @returns the key of the lease; undefined for a team that is no customer
 * @throws Refusal `busy` while another sync has the lease
 */
export async function acquireSeatLease(db: Db, teamId: string, now: Date): Promise<string | undefined> {
  return db.run(async (tx) => {
    const customer = await tx.customers.get(teamId);
    if (customer === undefined) return undefined;
    const { seatSync: lease } = customer;
    if (lease && lease.until > now) throw refuse('busy');
    const key = randomUUID();
    tx.customers.update(teamId, { seatSync: { key, until: new Date(now.getTime() + LEASE_MS) } });
    return key;
  });
}

/** Releases a lease. Does nothing if it has expired and another sync has acquired it. */
export async function releaseSeatLease(db: Db, teamId: string, key: string): Promise<void> {
  await db.run(async (tx) => {
    const customer = await tx.customers.get(teamId);
    if (customer?.seatSync?.key === key) tx.customers.update(teamId, { seatSync: REMOVED });
  });
}
