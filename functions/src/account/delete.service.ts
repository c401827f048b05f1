import type { Caller } from '../auth/caller.ts';
import { requireRecentSignIn } from '../auth/recent-sign-in.ts';
import type { Backend } from '../backend.ts';
import { cancelAndSyncSubscriptions } from '../billing/customers/cancel.service.ts';
import { hasCode, USER_NOT_FOUND } from '../common/error-code.ts';
import { readIntactOrLogged } from '../firestore/damage.ts';
import { getOrCreateKeyedHash, pseudonymOf } from '../personal-data/keyed-hash.ts';
import { asPurge, runInBatches, type UserToForget } from '../personal-data/purge.ts';
import { hasRefusalCode } from '../refusals/refusals.ts';
import { deleteTeamInSteps, type Deleter } from '../teams/delete.service.ts';
import {
  deletionActorOf,
  requireNotLastOwner,
  leaveTeams,
  type DeletionCause,
} from '../teams/members/leave-teams.service.ts';
import { membershipsOf } from '../teams/members/member.store.ts';
import { enqueueAccountDeletedMail } from './account-mail.service.ts';
import { saveProfileUnlessDamaged } from './profile.store.ts';
import { purgeSessions } from './session.service.ts';

/** Keeps a request below the 60 seconds that Hosting waits. */
const MAX_BATCHES = 30;

/**
 * Deletes the caller's account and all their data.
 *
 * - The sessions are purged after the account, so that an interrupted request can be repeated with the same cookie.
 * - The profile is deleted last, because `sweepDeletedAccounts` finds an interrupted deletion by its profile.
 *
 * @throws Refusal before the first change: `recent_sign_in_required`; `last_owner` with the names of the teams. Later:
 *   `last_owner` if another owner leaves a team at the same time
 */
export async function deleteOwnAccount(backend: Backend, caller: Caller): Promise<void> {
  requireRecentSignIn(caller, backend.now());
  await deleteAccount(backend, caller);
}

/** Does the work of `deleteOwnAccount`. Requires no recent sign-in, because an operator can also delete an account. */
export async function deleteAccount(backend: Backend, account: Caller): Promise<void> {
  const { uid, email, emailVerified } = account;
  await requireNotLastOwner(backend.db, uid);
  // Without a profile the sweep would not find an interrupted deletion.
  await saveProfileUnlessDamaged(backend.db, account, backend.now());
  const verifiedEmail = emailVerified ? email : undefined;
  const user = await withPseudonym(backend, { uid, email, verifiedEmail });
  const isPurged = await purgeUser(backend, user, 'request');
  await deleteAuthUser(backend, uid);
  const isSignedOut = await runInBatches(backend, uid, [purgeSessions], MAX_BATCHES);
  // If data is left, the trigger `cleanUpUser` purges it and finishes the deletion.
  if (isPurged && isSignedOut) await finishDeletion(backend, user);
}

/** A user who was deleted in Firebase Auth. The sweep knows only the uid: the profile has the address. */
export interface DeletedAccount {
  uid: string;
  email?: string | undefined;
  /** Invitations and mail to an unverified address are not purged: the address may belong to another person. */
  emailVerified?: boolean | undefined;
}

/**
 * Purges the data of a user whose account was deleted by our API, a client SDK or the console. Does nothing if the
 * account still exists. Idempotent.
 *
 * @throws Error if data is left after one run, so that the trigger runs again
 */
export async function cleanUpAccount(backend: Backend, { uid, ...known }: DeletedAccount): Promise<void> {
  const profile = known.email === undefined ? await readIntactOrLogged(backend.db.users.get(uid)) : undefined;
  const email = known.email?.toLowerCase() ?? profile?.email ?? undefined;
  const isVerified = known.emailVerified ?? profile?.emailVerified ?? false;
  const { hasAccount, isAddressTaken } = await findAccounts(backend, uid, email);
  if (hasAccount) return;
  const verifiedEmail = isVerified && !isAddressTaken ? email : undefined;
  const user = await withPseudonym(backend, { uid, email, verifiedEmail });
  const isPurged =
    (await purgeUser(backend, user, 'event')) &&
    (await runInBatches(backend, uid, [purgeSessions], MAX_BATCHES));
  if (!isPurged) throw new Error(`The user ${uid} has more data than one run purges.`);
  if (!(await finishDeletion(backend, user)))
    throw new Error(`The user ${uid} uploaded or joined a team during the deletion.`);
}

/**
 * Purges everything but sessions and profile.
 *
 * @returns false if data is left for another run
 */
async function purgeUser(backend: Backend, user: UserToForget, cause: DeletionCause): Promise<boolean> {
  const { uid } = user;
  for (const teamId of await leaveTeams(backend, uid, cause)) {
    const deleter = { uid, actorId: deletionActorOf(uid, cause), mayIgnoreDamage: true };
    if (!(await removeOwnTeam(backend, deleter, teamId))) return false;
  }
  await cancelAndSyncSubscriptions(backend, uid);
  const { purgeAccount, forgetUser } = backend.featureHooks;
  const forgets = forgetUser.map((forget) => asPurge(user, forget));
  return runInBatches(backend, uid, [...purgeAccount, ...forgets], MAX_BATCHES);
}

/** @returns false if a part of the team is left for another run, or if the user is no longer an owner of the team */
async function removeOwnTeam(backend: Backend, by: Deleter, teamId: string): Promise<boolean> {
  try {
    return await deleteTeamInSteps(backend, by, teamId, { endSubscription: true });
  } catch (error) {
    // A concurrent deletion has removed the team.
    if (hasRefusalCode(error, 'team_not_found')) return true;
    if (hasRefusalCode(error, 'forbidden')) return false;
    throw error;
  }
}

interface UserToDelete extends UserToForget {
  /** Id of the mail that confirms the deletion. It shows neither the uid nor the pseudonym. */
  mailId: string;
}

async function withPseudonym(
  { db, now }: Backend,
  user: Pick<UserToForget, 'uid' | 'email' | 'verifiedEmail'>,
): Promise<UserToDelete> {
  const hash = await getOrCreateKeyedHash(db, now());
  return { ...user, pseudonym: pseudonymOf(hash, user.uid), mailId: `deleted-${hash('deletion', user.uid)}` };
}

/**
 * Deletes the profile, and confirms the deletion by mail. Idempotent.
 *
 * During the deletion the user may send an upload or join a team. The transaction that stores the upload or the
 * membership calls `requireExistingUser`:
 *
 * - If that transaction commits first, `finishDeletion` finds a usage or a membership, and keeps the profile.
 * - If that transaction commits later, `requireExistingUser` finds no profile, asks Firebase Auth, and refuses.
 *
 * @returns false if a usage or a membership was found: the deletion must run again
 */
async function finishDeletion(
  backend: Backend,
  { uid, verifiedEmail, mailId }: UserToDelete,
): Promise<boolean> {
  return backend.db.run(async (tx) => {
    const [hasUsage, memberships] = await Promise.all([
      tx.storageUsage.exists(uid),
      membershipsOf(tx, uid).limit(1).findPlaces(),
    ]);
    if (hasUsage || memberships.length > 0) return false;
    tx.users.delete(uid);
    if (verifiedEmail !== undefined)
      await enqueueAccountDeletedMail(tx, backend, { id: mailId, to: verifiedEmail });
    return true;
  });
}

async function findAccounts(
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

/** A concurrent request may have deleted the user. */
async function deleteAuthUser({ auth }: Backend, uid: string): Promise<void> {
  try {
    await auth.deleteUser(uid);
  } catch (error) {
    if (!hasCode(error, USER_NOT_FOUND)) throw error;
  }
}
