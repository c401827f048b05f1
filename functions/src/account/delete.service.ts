import type { Caller } from '../auth/caller.ts';
import { requireRecentSignIn } from '../auth/recent-sign-in.ts';
import type { Backend } from '../backend.ts';
import { cancelAndSyncSubscriptions } from '../billing/customers/deletion/cancel.service.ts';
import { hasCode, USER_NOT_FOUND } from '../common/error-code.ts';
import { timerOf } from '../common/timer.ts';
import { readIntactOrLogged } from '../firestore/damage.ts';
import { loadHashFunction, pseudonymOf } from '../personal-data/keyed-hash.ts';
import { asPurge, REQUEST_MS, runInBatches, type UserToForget } from '../personal-data/purge.ts';
import { hasRefusalCode } from '../refusals/refusals.ts';
import { deleteTeamInSteps, type Deleter } from '../teams/delete.service.ts';
import {
  deletionActorOf,
  requireNotLastOwner,
  leaveTeams,
  type LeaveOptions,
} from '../teams/members/leave-teams.service.ts';
import { membershipsOf } from '../teams/members/member.store.ts';
import { writeAccountDeletedMail } from './account-mail.service.ts';
import { saveProfileUnlessDamaged } from './profile.store.ts';
import { purgeSessions } from './session.service.ts';

/** The time for one event, which is less than the timeout of the trigger. */
const EVENT_MS = 400_000;

/**
 * Deletes the caller's account and all their data.
 *
 * - The sessions are purged after the account, so that an interrupted request can be repeated with the same cookie.
 * - The profile is deleted last, because `sweepDeletedAccounts` finds an interrupted deletion by its profile.
 *
 * @throws Refusal before the first change: `recent_sign_in_required`; `last_owner_of` with the names of the teams.
 *   Later: `last_owner_of` if another owner leaves a team at the same time
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
  const isTimeUp = timerOf(backend, REQUEST_MS);
  const isPurged = await purgeUser(backend, user, { cause: 'request', isTimeUp });
  await deleteAuthUser(backend, uid);
  const isSignedOut = await runInBatches(backend, uid, [purgeSessions], isTimeUp);
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
export async function cleanUpAccount(backend: Backend, account: DeletedAccount): Promise<void> {
  if (await purgeDeletedAccount(backend, account, timerOf(backend, EVENT_MS))) return;
  throw new Error(`The user ${account.uid} has more data than one run purges.`);
}

/**
 * Does the work of `cleanUpAccount`.
 *
 * @returns false if the time was up before all data was purged
 * @throws Error if the user uploaded or joined a team during the deletion
 */
export async function purgeDeletedAccount(
  backend: Backend,
  { uid, ...known }: DeletedAccount,
  isTimeUp: () => boolean,
): Promise<boolean> {
  const profile = known.email === undefined ? await readIntactOrLogged(backend.db.users.get(uid)) : undefined;
  const email = known.email?.toLowerCase() ?? profile?.email ?? undefined;
  const isVerified = known.emailVerified ?? profile?.emailVerified ?? false;
  const { hasAccount, isAddressTaken } = await findAccounts(backend, uid, email);
  if (hasAccount) return true;
  const verifiedEmail = isVerified && !isAddressTaken ? email : undefined;
  const user = await withPseudonym(backend, { uid, email, verifiedEmail });
  const isPurged =
    (await purgeUser(backend, user, { cause: 'event', isTimeUp })) &&
    (await runInBatches(backend, uid, [purgeSessions], isTimeUp));
  if (!isPurged) return false;
  if (await finishDeletion(backend, user)) return true;
  throw new Error(`The user ${uid} uploaded or joined a team during the deletion.`);
}

/**
 * Purges everything but sessions and profile.
 *
 * @returns false if data is left for another run
 */
async function purgeUser(backend: Backend, user: UserToForget, options: LeaveOptions): Promise<boolean> {
  const { uid } = user;
  const { isTimeUp } = options;
  const deleter = { uid, actorId: deletionActorOf(uid, options.cause), mayIgnoreDamage: true };
  const teamsToDelete = await leaveTeams(backend, uid, options);
  if (teamsToDelete === undefined) return false;
  for (const teamId of teamsToDelete) {
    if (!(await removeOwnTeam(backend, deleter, teamId, isTimeUp)) || isTimeUp()) return false;
  }
  await cancelAndSyncSubscriptions(backend, uid);
  const { purgeAccount, forgetUser } = backend.featureHooks;
  const forgets = forgetUser.map((forget) => asPurge(user, forget));
  return runInBatches(backend, uid, [...purgeAccount, ...forgets], isTimeUp);
}

/**
 * Deletes a team in which `leaveTeams` found nobody else.
 *
 * @returns false if a part of the team is left for another run, or if the next `leaveTeams` must decide again: somebody
 *   joined meanwhile, or the user is no longer an owner of the team
 */
async function removeOwnTeam(
  backend: Backend,
  by: Deleter,
  teamId: string,
  isTimeUp: () => boolean,
): Promise<boolean> {
  try {
    const options = { endSubscription: true, isTimeUp, onlyIfAlone: true };
    return await deleteTeamInSteps(backend, by, teamId, options);
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
  const hash = await loadHashFunction(db, now());
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
      membershipsOf(tx, uid).limit(1).findPaths(),
    ]);
    if (hasUsage || memberships.length > 0) return false;
    tx.users.delete(uid);
    if (verifiedEmail !== undefined)
      await writeAccountDeletedMail(tx, backend, { id: mailId, to: verifiedEmail });
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
