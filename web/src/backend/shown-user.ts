import { computed, signal } from '@preact/signals';
import type { Auth } from 'firebase/auth';
import { errorTexts, UserFacingError } from '../errors.ts';

/** The uid of the user whom the pages show; undefined while they show nobody. */
const shownUid = signal<string | undefined>(undefined);

/** The uid of the user who is signed in to the Firebase SDK. All tabs of a browser have the same one. */
const currentUid = signal<string | undefined>(undefined);

/** Whether another user has signed in, in another tab. The session cookie is theirs, too. */
export const isOtherUser = computed(
  () => shownUid.value !== undefined && currentUid.value !== undefined && shownUid.value !== currentUid.value,
);

/** Call this with the user whom the pages show from now on; with undefined before somebody can sign in on the page. */
export function showUser(uid: string | undefined): void {
  shownUid.value = uid;
}

/** Follows the user of the SDK, which also notices a sign-in in another tab. */
export function watchUser(auth: Pick<Auth, 'onAuthStateChanged'>): void {
  auth.onAuthStateChanged((user) => {
    currentUid.value = user?.uid;
  });
}

/**
 * Call this before a change in the name of the shown user.
 *
 * @throws UserFacingError if another user has signed in, because the change would be made in their account
 */
export function requireShownUser(): void {
  if (isOtherUser.value) throw otherUserError();
}

export function otherUserError(): UserFacingError {
  return new UserFacingError(errorTexts().otherUser);
}
