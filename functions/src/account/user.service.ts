import type { Caller } from '../http/caller.ts';
import type { Services } from '../services.ts';
import { saveProfile, type ProfileChange } from './profile.store.ts';

/**
 * Changes what the user is called and looks like, in Firebase Auth and in their profile. Auth comes first: dying in
 * between leaves an old profile, which asking again mends.
 */
export async function changeUser(services: Services, caller: Caller, change: ProfileChange): Promise<Caller> {
  const user = await services.auth.updateUser(caller.uid, change);
  const changed = { ...caller, displayName: user.displayName, photoURL: user.photoURL };
  await saveProfile(await services.firestore(), changed, services.now(), change);
  return changed;
}
