import type { Session } from '@hearth/client';
import type { User } from 'firebase/auth';
import { startFirebase } from './firebase.ts';
import { currentSession, forgetSession, hearth } from './hearth.ts';
import { hasProbableSession, markSession } from './marker.ts';
import { shared } from './shared.ts';
import { isUserOf } from './shown-user.ts';
import { refresh, useRequest, type Live } from './source.ts';

/** A user who is signed in to the backend, by cookie, and to the Firebase SDK, which reads live data. */
export interface SignedIn {
  session: Session;
  user: User;
}

const current = shared(load);

/** The signed-in user, requested once and again after `forgetSignedIn`. Undefined unless signed in to both. */
export function signedIn(): Promise<SignedIn | undefined> {
  return current.get();
}

const KEY = 'signed-in user';

/** The signed-in user for the pages. */
export function useSignedIn(): Live<SignedIn | undefined> {
  return useRequest(KEY, signedIn);
}

/** Call this when the user or their teams may have changed. */
export function forgetSignedIn(): void {
  current.forget();
  forgetSession();
  refresh(KEY);
}

async function load(): Promise<SignedIn | undefined> {
  // A visitor without a mark has probably no session: the SDK's own session decides whether the backend is asked.
  const [{ auth }] = await Promise.all([startFirebase(), hasProbableSession() && currentSession()]);
  const user = auth.currentUser;
  const session = user === null ? undefined : await currentSession();
  if (session === undefined || user === null) return undefined;
  const { impersonation } = session;
  if (!(await isUserOf(session, user))) return undefined;
  const isUnaware = session.user.emailVerified && !user.emailVerified && impersonation === undefined;
  if (isUnaware) await learnOfVerification(user);
  return { session, user };
}

/** The address was verified elsewhere. The token that the rules check does not contain this yet. */
async function learnOfVerification(user: User): Promise<void> {
  await user.reload();
  await user.getIdToken(true);
}

interface SignOutOptions {
  everywhere: boolean;
  /** The path of the page that is opened then: the start page, if it is missing. */
  to?: string;
}

/** Ends the session cookie first, because the backend trusts it. Then the SDK signs out. */
export async function signOut({ everywhere, to }: SignOutOptions): Promise<void> {
  await hearth.account.endSession({ everywhere });
  await leave(to);
}

/** Goes to a page with nobody signed in. */
export async function leave(to = '/'): Promise<void> {
  markSession(false);
  await (await startFirebase()).auth.signOut();
  location.assign(to);
}
