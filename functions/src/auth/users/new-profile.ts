import { nameAndPictureOf } from '../../common/user-profile.ts';
import type { Profile } from '../../firestore/documents/user.ts';
import type { UserState } from './user-states.ts';

/** The uid of a user, and the fields of the account that are copied to the profile. */
export type AuthUser = Pick<UserState, 'uid' | 'email' | 'emailVerified' | 'displayName' | 'photoURL'>;

/** Cleans the fields of an account in Firebase Auth. The address gets lower case. */
export function authUserOf(account: Pick<AuthUser, 'uid' | 'emailVerified'> & Partial<AuthUser>): AuthUser {
  const { uid, email, emailVerified } = account;
  return { uid, email: email?.toLowerCase(), emailVerified, ...nameAndPictureOf(account) };
}

export type CopiedFields = Pick<Profile, 'email' | 'displayName' | 'photoURL'> & { emailVerified: boolean };

export function copiedFieldsOf({ email, emailVerified, displayName, photoURL }: AuthUser): CopiedFields {
  return {
    email: email ?? null,
    emailVerified,
    displayName: displayName ?? null,
    photoURL: photoURL ?? null,
  };
}

export function newProfile(user: AuthUser, now: Date): Profile {
  return { ...copiedFieldsOf(user), createdAt: now, activeTeamId: null };
}
