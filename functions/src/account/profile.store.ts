import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../auth/caller.ts';
import { undefinedIfDamaged } from '../firestore/convert.ts';
import type { Db, Tx } from '../firestore/db.ts';
import type { Profile } from '../firestore/documents/user.ts';
import { replaceMemberAddress } from '../teams/members/member-details.service.ts';

/** New values of fields. Users change their name and picture. Signing out everywhere sets `signInsEndedAt`. */
export type ProfileChange = Partial<Pick<Profile, 'displayName' | 'photoURL' | 'signInsEndedAt'>>;

/** The fields of a user in Firebase Auth that their profile repeats. */
export type AuthUser = Pick<Caller, 'uid' | 'email' | 'emailVerified' | 'displayName' | 'photoURL'>;

/**
 * Creates the profile of a user, or updates it. The e-mail address is always copied. Name and picture are copied if the
 * profile has none, because many clients set them shortly after they created the account. A name or picture in `change`
 * replaces the stored one. A new address is also copied to the memberships. Reads one document, and writes it if a
 * field changes. With a new address it also reads and writes the memberships.
 *
 * @returns true if an existing profile got another address
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
  /** The profile as the transaction has read it; undefined if it does not exist. */
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
    tx.users.create(user.uid, { ...fieldsOf(user), createdAt: now, activeTeamId: null, ...change });
    return false;
  }
  const { email, displayName, photoURL } = stored;
  const before = { email, displayName, photoURL };
  const after = { ...mergeFields(before, fieldsOf(user)), ...change };
  if (!isDeepStrictEqual(before, after)) tx.users.update(user.uid, after);
  const hasNewAddress = before.email !== after.email;
  if (hasNewAddress) await replaceMemberAddress(tx, user);
  return hasNewAddress;
}

/**
 * Like `saveProfile`, but leaves a damaged profile as it is. It must not stop its user from signing in or from deleting
 * the account.
 */
export async function saveProfileUnlessDamaged(db: Db, user: AuthUser, now: Date): Promise<boolean> {
  return (await undefinedIfDamaged(() => saveProfile(db, user, now))) ?? false;
}

type Fields = Pick<Profile, 'email' | 'displayName' | 'photoURL'>;

function fieldsOf({ email, displayName, photoURL }: AuthUser): Fields {
  return { email: email ?? null, displayName: displayName ?? null, photoURL: photoURL ?? null };
}

function mergeFields(profile: Fields, user: Fields): Fields {
  return {
    email: user.email,
    displayName: profile.displayName ?? user.displayName,
    photoURL: profile.photoURL ?? user.photoURL,
  };
}
