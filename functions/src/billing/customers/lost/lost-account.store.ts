import { newProfile } from '../../../auth/users/new-profile.ts';
import type { Db } from '../../../firestore/db.ts';
import { isClosed } from '../../customer-rules.ts';

/**
 * Leaves the subscription of a user without an account to `sweepDeletedAccounts`, if the sweep will find the user. The
 * sweep visits profiles: a user with a profile is left to it. A user without a profile gets one, unless the customer is
 * closed or missing, because then a deletion has run here.
 *
 * The sweep is safer than cancelling now: it stops if many accounts are gone, because somebody may have deleted them by
 * mistake.
 *
 * @returns true if it is left to the sweep; false if the subscription must be cancelled now
 */
export function tryLeaveToSweep(db: Db, uid: string, now: Date): Promise<boolean> {
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
