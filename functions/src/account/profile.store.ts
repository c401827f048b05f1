import { isDeepStrictEqual } from 'node:util';
import { copiedFieldsOf, newProfile, type AuthUser, type CopiedFields } from '../auth/users/new-profile.ts';
import { damageAsValue, DamagedDocument, logIfDamaged, readIntactOrLogged } from '../firestore/damage.ts';
import type { Db, Tx } from '../firestore/db.ts';
import type { Profile } from '../firestore/documents/user.ts';
import { copyAddressToMemberships } from '../teams/members/member-details.store.ts';

export type ProfileChange = Partial<Pick<Profile, 'displayName' | 'photoURL' | 'signInsEndedAt'>>;

/**
 * Creates or updates the profile of a user:
 *
 * - The address, and whether it is verified, are always copied from `user`.
 * - The name is copied if the profile has no name, and the picture if the profile has no picture. Many clients set name
 *   and picture only after they have created the account.
 * - `change` replaces stored values.
 *
 * Reads one document. If `email` or `emailVerified` changes, also reads the memberships. Writes nothing if nothing
 * changes.
 *
 * @returns true if the profile existed, and its `email` or `emailVerified` has changed
 * @throws DamagedDocument
 */
export async function saveProfile(
  db: Db,
  user: AuthUser,
  now: Date,
  change: ProfileChange = {},
): Promise<boolean> {
  return db.run(async (tx) => saveProfileIn(tx, user, { stored: await tx.users.get(user.uid), now, change }));
}

interface ProfileWrite {
  /** The profile as the transaction has read it. */
  readonly stored: Profile | undefined;
  readonly now: Date;
  readonly change?: ProfileChange;
}

/** `saveProfile` for a transaction that has read the profile. */
export async function saveProfileIn(
  tx: Tx,
  user: AuthUser,
  { stored, now, change = {} }: ProfileWrite,
): Promise<boolean> {
  if (stored === undefined) {
    tx.users.create(user.uid, { ...newProfile(user, now), ...change });
    return false;
  }
  const { email, emailVerified, displayName, photoURL } = stored;
  const before = { email, emailVerified, displayName, photoURL };
  const after = { ...mergeFields(before, copiedFieldsOf(user)), ...change };
  if (!isDeepStrictEqual(before, after)) tx.users.update(user.uid, after);
  const hasAddressChange = before.email !== after.email || before.emailVerified !== after.emailVerified;
  if (hasAddressChange) await copyAddressToMemberships(tx, user);
  return hasAddressChange;
}

/** Like `saveProfile`, but leaves a damaged profile as it is. */
export async function saveProfileUnlessDamaged(db: Db, user: AuthUser, now: Date): Promise<boolean> {
  return (await readIntactOrLogged(saveProfile(db, user, now))) ?? false;
}

/**
 * Like `saveProfile`, and copies the address to the memberships also if the profile has it already. Leaves a damaged
 * profile as it is.
 */
export async function saveAddress(db: Db, user: AuthUser, now: Date): Promise<boolean> {
  return db.run(async (tx) => {
    const stored = await damageAsValue(tx.users.get(user.uid));
    if (stored instanceof DamagedDocument) logIfDamaged(stored);
    else if (await saveProfileIn(tx, user, { stored, now })) return true;
    await copyAddressToMemberships(tx, user);
    return false;
  });
}

function mergeFields(profile: Pick<Profile, 'displayName' | 'photoURL'>, user: CopiedFields): CopiedFields {
  return {
    email: user.email,
    emailVerified: user.emailVerified,
    displayName: profile.displayName ?? user.displayName,
    photoURL: profile.photoURL ?? user.photoURL,
  };
}
