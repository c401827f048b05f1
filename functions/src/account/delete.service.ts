import { cancelSubscriptionsOf } from '../billing/customers/cancel.service.ts';
import { removeBilling } from '../billing/customers/remove.service.ts';
import { hasCode, USER_NOT_FOUND } from '../common/error-code.ts';
import type { Caller } from '../auth/caller.ts';
import { assertRecentSignIn } from '../auth/recent-sign-in.ts';
import { openKeyedHashLegacy, pseudonymOf } from '../common/keyed-hash.ts';
import { purgeInBatches, type FormerUser, type Purge } from '../personal-data/removal.ts';
import type { Backend } from '../backend.ts';
import { removeTeam } from '../teams/delete.service.ts';
import { actorOf, assertNoLastOwner, leaveTeams, type LastOwner } from '../teams/leave-teams.service.ts';
import { deleteProfile, readEmail, saveProfile } from './profile.store.ts';
import { removeSessions } from './session.store.ts';

/** The known data of a deleted user. */
export interface DeletedUser {
  uid: string;
  email?: string | undefined;
  /** Known from the event alone. Without it, data of others under the address stays until it expires. */
  emailVerified?: boolean | undefined;
}

/** Keeps a request well inside the 60 seconds that Hosting waits. */
const MAX_BATCHES = 30;

/**
 * Deletes the caller's account with everything that is theirs. Every refusal comes before any change. The sessions go after
 * the account, so that an interrupted request can be sent again with the same cookie. The profile is deleted last, so
 * that a sweep finds a deletion that was interrupted after that.
 *
 * @throws Refusal 403 without a recent sign-in, 409 for the last owner of a team, 503 when Stripe does not answer
 */
export async function deleteAccount(backend: Backend, caller: Caller): Promise<void> {
  assertRecentSignIn(caller, backend.now());
  const firestore = await backend.firestore();
  await assertNoLastOwner(backend.db, caller.uid);
  await saveProfile(firestore, caller, backend.now());
  const { uid, email, emailVerified } = caller;
  const user = await formerUser(backend, { uid, email, verifiedEmail: emailVerified ? email : undefined });
  const isDone = await removeBelongings(backend, { user, whenLastOwner: 'refuse' });
  await deleteUser(backend, caller.uid);
  const isSignedOut = await purgeInBatches(backend, caller.uid, [removeSessions], MAX_BATCHES);
  // The trigger of the deleted user removes data that exceeds one request.
  if (isDone && isSignedOut) await deleteProfile(firestore, caller.uid);
}

/**
 * Removes what is left of a user who was deleted, here or elsewhere. May run twice, late and at the same time.
 *
 * @throws Error while something is left, so that it is tried again
 */
export async function cleanUpAccount(backend: Backend, { uid, ...known }: DeletedUser): Promise<void> {
  const firestore = await backend.firestore();
  const email = known.email?.toLowerCase() ?? (await readEmail(firestore, uid));
  const { hasAccount, isAddressTaken } = await lookUp(backend, uid, email);
  if (hasAccount) return;
  const verifiedEmail = known.emailVerified === true && !isAddressTaken ? email : undefined;
  const user = await formerUser(backend, { uid, email, verifiedEmail });
  const isDone =
    (await removeBelongings(backend, { user, whenLastOwner: 'replace' })) &&
    (await purgeInBatches(backend, uid, [removeSessions], MAX_BATCHES));
  if (!isDone) {
    throw new Error(`There is more left of the user ${uid} than one run removes.`);
  }
  await deleteProfile(firestore, uid);
}

async function formerUser(backend: Backend, user: Omit<FormerUser, 'pseudonym'>): Promise<FormerUser> {
  const hash = await openKeyedHashLegacy(await backend.firestore(), backend.now());
  return { ...user, pseudonym: pseudonymOf(hash, user.uid) };
}

/** @returns whether all of it is gone */
async function removeBelongings(
  backend: Backend,
  { user, whenLastOwner }: { user: FormerUser; whenLastOwner: LastOwner },
): Promise<boolean> {
  const { purgeAccount, removeTraces } = backend.hooks;
  const { uid } = user;
  const actorId = actorOf(uid, whenLastOwner);
  for (const teamId of await leaveTeams(backend, uid, whenLastOwner)) {
    await cancelSubscriptionsOf(backend, teamId);
    if (!(await removeTeam(backend, { uid, actorId }, teamId))) return false;
  }
  await cancelSubscriptionsOf(backend, uid);
  const traces = removeTraces.map(
    (remove): Purge =>
      (_services, _uid, most) =>
        remove(backend, user, most),
  );
  return purgeInBatches(backend, uid, [...purgeAccount, removeBilling, ...traces], MAX_BATCHES);
}

/** Whether the account still exists, and whether another account has the address now. */
async function lookUp(
  { auth }: Backend,
  uid: string,
  email: string | undefined,
): Promise<{ hasAccount: boolean; isAddressTaken: boolean }> {
  const { users } = await auth.getUsers([{ uid }, ...(email === undefined ? [] : [{ email }])]);
  return {
    hasAccount: users.some((user) => user.uid === uid),
    isAddressTaken: users.some((user) => user.uid !== uid),
  };
}

/** Deleted by another request in the meantime is as good. */
async function deleteUser({ auth }: Backend, uid: string): Promise<void> {
  await auth.deleteUser(uid).catch((error: unknown) => {
    if (!hasCode(error, USER_NOT_FOUND)) throw error;
  });
}
