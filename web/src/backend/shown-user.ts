import type { Session } from '@hearth/client';
import { computed, signal } from '@preact/signals';
import type { Auth, User } from 'firebase/auth';
import { errorTexts, UserFacingError } from '../errors.ts';

/** A person at the Firebase SDK. */
interface Person {
  /** The uid of the account that is signed in to the SDK: for an impersonation, that of the operator. */
  uid: string;
  /** The uid of the user as whom an operator sees the service; null without an impersonation, undefined until known. */
  seenAs: string | null | undefined;
}

type ShownSession = Pick<Session, 'impersonation'> & { user: Pick<Session['user'], 'uid'> };

/** The person whom the pages show; undefined while they show nobody. */
const shown = signal<Person | undefined>(undefined);

/** The person who is signed in to the Firebase SDK. All tabs of a browser have the same one. */
const current = signal<Person | undefined>(undefined);

/**
 * Whether another user has signed in, in another tab. The session cookie is theirs, too. An operator who begins or ends
 * an impersonation counts as another user, although the account stays the same.
 */
export const isOtherUser = computed(
  () => shown.value !== undefined && current.value !== undefined && !isSame(shown.value, current.value),
);

function isSame(one: Person, other: Person): boolean {
  return one.uid === other.uid && (other.seenAs === undefined || one.seenAs === other.seenAs);
}

/** Call this with the session that the pages show from now on; with undefined before somebody can sign in. */
export function showUser(session: ShownSession | undefined): void {
  shown.value = session && personOf(session);
}

/** The person at the SDK to whom a session belongs. */
function personOf({ user, impersonation }: ShownSession): Person {
  if (impersonation === undefined) return { uid: user.uid, seenAs: null };
  return { uid: impersonation.operatorId, seenAs: user.uid };
}

/** Whether the session of the cookie and the sign-in at the SDK are of one person. */
export async function isUserOf(session: ShownSession, user: User): Promise<boolean> {
  return isSame(personOf(session), { uid: user.uid, seenAs: await seenAsOf(user) });
}

/** Follows the user of the SDK, which also notices a sign-in in another tab, and a new token of the same account. */
export function watchUser(auth: Pick<Auth, 'onIdTokenChanged'>): void {
  auth.onIdTokenChanged((user) => {
    void follow(user);
  });
}

let latest: User | null = null;

async function follow(user: User | null): Promise<void> {
  latest = user;
  if (user?.uid !== current.value?.uid)
    current.value = user === null ? undefined : { uid: user.uid, seenAs: undefined };
  if (user === null) return;
  // Without a network, an expired token cannot be read. Nothing can be sent then.
  const seenAs = await seenAsOf(user).catch(() => undefined);
  if (latest?.uid === user.uid && seenAs !== undefined) current.value = { uid: user.uid, seenAs };
}

/** The claim that the backend gives to the token of an impersonation. */
async function seenAsOf(user: User): Promise<string | null> {
  const { impersonation } = (await user.getIdTokenResult()).claims;
  const isClaim = typeof impersonation === 'object' && impersonation !== null && 'uid' in impersonation;
  return isClaim ? String(impersonation.uid) : null;
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
