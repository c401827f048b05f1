import { isDeepStrictEqual } from 'node:util';
import { verifiedEmailOf, type Caller } from '../../auth/caller.ts';
import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { Member } from '../../firestore/documents/member.ts';
import { membershipsOf } from './member.store.ts';

/** Copies the new display name of a user to their memberships. */
export async function copyNameToMemberships(
  { db }: Backend,
  uid: string,
  displayName: string | null,
): Promise<void> {
  await db.run((tx) => updateMemberships(tx, uid, { displayName }));
}

/**
 * Copies the address of a user to their memberships, or null if it is not verified. Leaves out damaged memberships.
 *
 * @param tx the transaction that stores the new address in the profile, so that no mail goes to the former address
 */
export async function copyAddressToMemberships(
  tx: Tx,
  user: Pick<Caller, 'uid' | 'email' | 'emailVerified'>,
): Promise<void> {
  await updateMemberships(tx, user.uid, { email: verifiedEmailOf(user) });
}

/**
 * Updates all memberships in one transaction. Firestore limits a transaction to 10 MiB, which is enough for tens of
 * thousands of memberships. https://firebase.google.com/docs/firestore/quotas#writes_and_transactions
 */
async function updateMemberships(
  tx: Tx,
  uid: string,
  change: Partial<Pick<Member, 'displayName' | 'email'>>,
): Promise<void> {
  const memberships = await membershipsOf(tx, uid).findIntact();
  for (const { parentId: teamId, data } of memberships) {
    if (!isDeepStrictEqual(data, { ...data, ...change })) tx.members(teamId).update(uid, change);
  }
}

/**
 * Stores the verified address of the caller in their membership, unless it is stored already. The caller sends an
 * invitation, and the mail about its acceptance goes to the address in the membership.
 */
export function refreshMemberAddress(
  tx: Tx,
  teamId: string,
  caller: Caller,
  { email: stored }: Member,
): void {
  const email = verifiedEmailOf(caller);
  if (stored !== email) tx.members(teamId).update(caller.uid, { email });
}
