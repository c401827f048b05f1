import { newProfile } from '../../../auth/users/new-profile.ts';
import type { Db } from '../../../firestore/db.ts';
import { isClosed } from '../../customer-rules.ts';

/**
 * Finds out whether the subscription of a user without an account goes on until `sweepDeletedAccounts` visits the user.
 * This is so unless a deletion has begun here, which closes the customer. A user without a profile gets one, because
 * the sweep visits profiles. Somebody may have deleted many accounts by mistake: then the sweep removes nothing.
 *
 * @returns false if the subscription must be cancelled now
 */
export function waitsForSweep(db: Db, uid: string, now: Date): Promise<boolean> {
  return db.run(async (tx) => {
    const [customer, hasProfile] = await Promise.all([tx.customers.get(uid), tx.users.exists(uid)]);
    if (hasProfile) return true;
    if (customer === undefined || isClosed(customer, now)) return false;
    const email = customer.email ?? undefined;
    const account = { uid, email, emailVerified: false, displayName: undefined, photoURL: undefined };
    tx.users.create(uid, newProfile(account, now));
    return true;
  });
}
