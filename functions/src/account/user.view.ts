import type { Caller } from '../http/caller.ts';

/** A user as the API tells them to themselves. */
export interface UserView {
  uid: string;
  email: string | null;
  emailVerified: boolean;
  displayName: string | null;
  photoURL: string | null;
}

export function viewOf(caller: Caller): UserView {
  return {
    uid: caller.uid,
    email: caller.email ?? null,
    emailVerified: caller.emailVerified,
    displayName: caller.displayName ?? null,
    photoURL: caller.photoURL ?? null,
  };
}
