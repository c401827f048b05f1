import type { Caller } from '../http/caller.ts';
import type { OpenSession } from './session.store.ts';

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

/** A session by cookie. Times are ISO 8601, UTC. */
export interface OpenSessionView {
  id: string;
  /** Whether it is the one that asks. */
  current: boolean;
  signInMethod: string;
  /** What the browser said of itself. */
  userAgent: string | null;
  signedInAt: string;
  expiresAt: string;
}

export function openSessionViewOf(
  id: string,
  { signInMethod, userAgent, signedInAt, expiresAt }: OpenSession,
  current: string | undefined,
): OpenSessionView {
  return {
    id,
    current: id === current,
    signInMethod,
    userAgent,
    signedInAt: signedInAt.toDate().toISOString(),
    expiresAt: expiresAt.toDate().toISOString(),
  };
}
