import { cancelSubscriptionsOf } from '../billing/customers/cancel.service.ts';
import { removeBilling } from '../billing/customers/remove.service.ts';
import type { Config } from '../settings/config.ts';
import { hasCode, USER_NOT_FOUND } from '../common/error-code.ts';
import type { Caller } from '../auth/caller.ts';
import { assertRecentSignIn } from '../auth/recent-sign-in.ts';
import { openKeyedHash, pseudonymOf } from '../common/keyed-hash.ts';
import {
  removeInBatches,
  type FormerUser,
  type RemoveContents,
  type RemoveTraces,
} from '../personal-data/removal.ts';
import type { Services } from '../backend.ts';
import { removeTeam } from '../teams/delete.service.ts';
import { actorOf, assertNoLastOwner, departFromTeams, type LastOwner } from '../teams/departure.service.ts';
import type { EndGrants } from '../teams/rights.ts';
import { deleteProfile, readEmail, saveProfile } from './profile.store.ts';
import { removeSessions } from './session.store.ts';

/** Functions of the features that remove data with a user's account, their rights in a team, or a team left empty. */
export interface Contents {
  readonly ofAccount: readonly RemoveContents[];
  readonly ofMember: EndGrants;
  readonly ofTeam: readonly RemoveContents[];
  /** Remove a deleted user from the data of others, in this order. */
  readonly ofOthers: readonly RemoveTraces[];
}

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
export async function deleteAccount(
  services: Services,
  config: Config,
  contents: Contents,
  caller: Caller,
): Promise<void> {
  assertRecentSignIn(caller, services.now());
  const firestore = await services.firestore();
  await assertNoLastOwner(firestore, caller.uid);
  await saveProfile(firestore, caller, services.now());
  const { uid, email, emailVerified } = caller;
  const user = await formerUser(services, { uid, email, verifiedEmail: emailVerified ? email : undefined });
  const isDone = await removeBelongings(services, config, contents, { user, whenLastOwner: 'refuse' });
  await deleteUser(services, caller.uid);
  const isSignedOut = await removeInBatches(services, caller.uid, [removeSessions], MAX_BATCHES);
  // The trigger of the deleted user removes data that exceeds one request.
  if (isDone && isSignedOut) await deleteProfile(firestore, caller.uid);
}

/**
 * Removes what is left of a user who was deleted, here or elsewhere. May run twice, late and at the same time.
 *
 * @throws Error while something is left, so that it is tried again
 */
export async function cleanUpAccount(
  services: Services,
  config: Config,
  contents: Contents,
  { uid, ...known }: DeletedUser,
): Promise<void> {
  const firestore = await services.firestore();
  const email = known.email?.toLowerCase() ?? (await readEmail(firestore, uid));
  const { hasAccount, isAddressTaken } = await lookUp(services, uid, email);
  if (hasAccount) return;
  const verifiedEmail = known.emailVerified === true && !isAddressTaken ? email : undefined;
  const user = await formerUser(services, { uid, email, verifiedEmail });
  const isDone =
    (await removeBelongings(services, config, contents, { user, whenLastOwner: 'replace' })) &&
    (await removeInBatches(services, uid, [removeSessions], MAX_BATCHES));
  if (!isDone) {
    throw new Error(`There is more left of the user ${uid} than one run removes.`);
  }
  await deleteProfile(firestore, uid);
}

async function formerUser(services: Services, user: Omit<FormerUser, 'pseudonym'>): Promise<FormerUser> {
  const hash = await openKeyedHash(await services.firestore(), services.now());
  return { ...user, pseudonym: pseudonymOf(hash, user.uid) };
}

/** @returns whether all of it is gone */
async function removeBelongings(
  services: Services,
  config: Config,
  { ofAccount, ofMember, ofOthers, ofTeam }: Contents,
  { user, whenLastOwner }: { user: FormerUser; whenLastOwner: LastOwner },
): Promise<boolean> {
  const { uid } = user;
  const actorId = actorOf(uid, whenLastOwner);
  for (const teamId of await departFromTeams(services, ofMember, uid, whenLastOwner)) {
    await cancelSubscriptionsOf(services, config, teamId);
    if (!(await removeTeam(services, ofTeam, { uid, actorId }, teamId))) return false;
  }
  await cancelSubscriptionsOf(services, config, uid);
  const traces = ofOthers.map(
    (remove): RemoveContents =>
      (_services, _uid, most) =>
        remove(services, user, most),
  );
  return removeInBatches(services, uid, [...ofAccount, removeBilling, ...traces], MAX_BATCHES);
}

/** Whether the account still exists, and whether another account has the address now. */
async function lookUp(
  { auth }: Services,
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
async function deleteUser({ auth }: Services, uid: string): Promise<void> {
  await auth.deleteUser(uid).catch((error: unknown) => {
    if (!hasCode(error, USER_NOT_FOUND)) throw error;
  });
}
