import { hasCode } from '../common/error-code.ts';
import type { Caller } from '../auth/caller.ts';
import { refuse } from '../refusals.ts';
import type { Backend } from '../backend.ts';
import { renameMember } from '../teams/rename.service.ts';
import { profileOf } from '../common/user-profile.ts';
import { saveProfile, type ProfileChange } from './profile.store.ts';

/**
 * Changes what the user is called and looks like, in Firebase Auth, in their profile and in their teams. Auth comes first:
 * dying in between leaves an old name elsewhere, which asking again mends.
 *
 * @throws Refusal 400 for a picture's address that Firebase Auth does not take, such as one with spaces
 */
export async function changeUser(backend: Backend, caller: Caller, change: ProfileChange): Promise<Caller> {
  const user = await backend.auth.updateUser(caller.uid, change).catch((error: unknown) => {
    if (hasCode(error, 'auth/invalid-photo-url'))
      throw refuse('invalid_request', { reason: 'photoURL: is not the address of a picture' });
    throw error;
  });
  const changed = { ...caller, ...profileOf(user) };
  await saveProfile(await backend.firestore(), changed, backend.now(), change);
  if (change.displayName !== undefined) await renameMember(backend, caller.uid, change.displayName);
  return changed;
}

/**
 * Makes the profile of somebody who has just got an account, whether or not they ever begin a session by cookie. Asks
 * Firebase Auth, because the event may come late: for who is gone by then there is nothing to make.
 */
export async function welcomeUser(backend: Backend, uid: string): Promise<void> {
  const { users } = await backend.auth.getUsers([{ uid }]);
  for (const user of users) {
    const known = { uid, email: user.email?.toLowerCase(), ...profileOf(user) };
    await saveProfile(await backend.firestore(), known, backend.now());
  }
}
