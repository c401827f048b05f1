import type { Caller } from '../auth/caller.ts';
import { authUserOf, type AuthUser } from '../auth/users/new-profile.ts';
import type { Backend } from '../backend.ts';
import { enqueueUserContactSyncsOrLog } from '../billing/customers/contacts/queue.service.ts';
import { hasCode } from '../common/error-code.ts';
import { nameAndPictureOf } from '../common/user-profile.ts';
import { refusal } from '../refusals/refusals.ts';
import { copyNameToMemberships } from '../teams/members/member-details.store.ts';
import { writeWelcomeMail } from './account-mail.service.ts';
import { saveProfile, saveProfileUnlessDamaged, type ProfileChange } from './profile.store.ts';

/**
 * Changes name and picture of a user in Firebase Auth, then in the profile, and then the name in the memberships. After
 * a crash the same request completes the change.
 *
 * @throws Refusal `picture_url_invalid` for a picture URL that Firebase Auth does not accept, such as one with spaces
 */
export async function changeUser(backend: Backend, caller: Caller, change: ProfileChange): Promise<Caller> {
  const user = await backend.auth.updateUser(caller.uid, change).catch((error: unknown) => {
    if (!hasCode(error, 'auth/invalid-photo-url')) throw error;
    const fields = { photoURL: 'is not the URL of a picture' };
    throw refusal('picture_url_invalid', {}, { fields, cause: error });
  });
  const changed = { ...caller, ...nameAndPictureOf(user) };
  const hasAddressChange = await saveProfile(backend.db, changed, backend.now(), change);
  const { displayName } = change;
  if (displayName !== undefined) await copyNameToMemberships(backend, caller.uid, displayName);
  // A contact sync copies both the address and the name.
  if (hasAddressChange) await enqueueUserContactSyncsOrLog(backend, caller.uid, { changed: 'address' });
  else if (displayName !== undefined)
    await enqueueUserContactSyncsOrLog(backend, caller.uid, { changed: 'name' });
  return changed;
}

/** Changes the picture in the profile only, and not in Firebase Auth. */
export async function changePictureOfProfile(
  backend: Backend,
  caller: Caller,
  photoURL: string | null,
): Promise<void> {
  const hasAddressChange = await saveProfile(backend.db, caller, backend.now(), { photoURL });
  if (hasAddressChange) await enqueueUserContactSyncsOrLog(backend, caller.uid, { changed: 'address' });
}

/**
 * Creates the profile of a new user, and mails a welcome to a verified address. Does nothing if the user was deleted
 * before the event arrived. Idempotent.
 */
export async function createProfile(backend: Backend, uid: string): Promise<void> {
  const { users } = await backend.auth.getUsers([{ uid }]);
  for (const user of users) {
    const authUser = authUserOf(user);
    const { email, emailVerified } = authUser;
    await saveAccountInProfile(backend, authUser);
    if (emailVerified && email !== undefined) await writeWelcomeMail(backend, uid, email);
  }
}

/** Copies the address of an account to the profile and the memberships. Leaves a damaged profile as it is. */
export async function saveAccountInProfile(backend: Backend, user: AuthUser): Promise<void> {
  const hasAddressChange = await saveProfileUnlessDamaged(backend.db, user, backend.now());
  if (hasAddressChange) await enqueueUserContactSyncsOrLog(backend, user.uid, { changed: 'address' });
}
