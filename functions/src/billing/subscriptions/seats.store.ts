import { randomUUID } from 'node:crypto';
import type { Firestore } from 'firebase-admin/firestore';
import { refuse } from '../../refusals.ts';
import { transact } from '../../firestore/transaction.ts';
import { customerRef } from '../customers/customer.store.ts';

/** Longer than a run takes with all retries of the Stripe client, so that nobody else works meanwhile. */
const LEASE_MS = 120_000;

/**
 * Makes the caller the only one who tells Stripe the seats of a team, for a while.
 *
 * @returns the key of this run, or undefined for a team that is no customer
 * @throws Refusal 503 while another one has it
 */
export async function takeSeatSync(
  firestore: Firestore,
  teamId: string,
  now: Date,
): Promise<string | undefined> {
  const ref = customerRef(firestore, teamId);
  return transact(firestore, async (transaction) => {
    const customer = (await transaction.get(ref)).data();
    if (customer === undefined) return undefined;
    const { seatSync } = customer;
    if (seatSync && seatSync.until.toMillis() > now.getTime()) {
      throw refuse('busy');
    }
    const key = randomUUID();
    transaction.update(ref, { seatSync: { key, until: new Date(now.getTime() + LEASE_MS) } });
    return key;
  });
}

/** Lets the next one work at once. */
export async function releaseSeatSync(firestore: Firestore, teamId: string, key: string): Promise<void> {
  const { FieldValue } = await import('firebase-admin/firestore');
  const ref = firestore.doc(customerRef(firestore, teamId).path);
  await transact(firestore, async (transaction) => {
    const held: unknown = (await transaction.get(ref)).get('seatSync.key');
    if (held === key) transaction.update(ref, { seatSync: FieldValue.delete() });
  });
}
