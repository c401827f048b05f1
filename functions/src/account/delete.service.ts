import { cancelSubscriptionsOf } from '../billing/cancel.service.ts';
import { removeBilling } from '../billing/remove.service.ts';
import type { Config } from '../config.ts';
import { hasCode, USER_NOT_FOUND } from '../error-code.ts';
import type { Caller } from '../http/caller.ts';
import { assertRecentSignIn } from '../http/recent-sign-in.ts';
import { removeInBatches, type RemoveContents } from '../removal.ts';
import type { Services } from '../services.ts';
import { removeTeam } from '../teams/delete.service.ts';
import { actorOf, assertNoLastOwner, departFromTeams, type LastOwner } from '../teams/departure.service.ts';
import type { EndGrants } from '../teams/rights.ts';
import { deleteProfile, saveProfile } from './profile.store.ts';
import { removeSessions } from './session.store.ts';

/** What features keep, and goes with a user's account, with their rights in a team or with a team that is left empty. */
export interface Contents {
  readonly ofAccount: readonly RemoveContents[];
  readonly ofMember: EndGrants;
  readonly ofTeam: readonly RemoveContents[];
}

/** Keeps a request well inside the 60 seconds that Hosting waits. */
const MAX_BATCHES = 20;

/**
 * Deletes the caller's account with everything that is theirs. Every refusal comes before any change. The sessions go after
 * the account, so that an interrupted request can be sent again with the same cookie. The profile goes last, so that a
 * sweep finds what was interrupted after that.
 *
 * @throws HttpError 403 without a recent sign-in, 409 for the last owner of a team, 503 when Stripe does not answer
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
  const isDone = await removeBelongings(services, config, contents, caller.uid, 'refuse');
  await deleteUser(services, caller.uid);
  const isSignedOut = await removeInBatches(services, caller.uid, [removeSessions], MAX_BATCHES);
  // The trigger of the deleted user removes what is too much for one request.
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
  uid: string,
): Promise<void> {
  if (await hasUser(services, uid)) return;
  const isDone =
    (await removeBelongings(services, config, contents, uid, 'replace')) &&
    (await removeInBatches(services, uid, [removeSessions], MAX_BATCHES));
  if (!isDone) {
    throw new Error(`There is more left of the user ${uid} than one run removes.`);
  }
  await deleteProfile(await services.firestore(), uid);
}

/** @returns whether all of it is gone */
async function removeBelongings(
  services: Services,
  config: Config,
  { ofAccount, ofMember, ofTeam }: Contents,
  uid: string,
  whenLastOwner: LastOwner,
): Promise<boolean> {
  const actorId = actorOf(uid, whenLastOwner);
  for (const teamId of await departFromTeams(services, ofMember, uid, whenLastOwner)) {
    await cancelSubscriptionsOf(services, config, teamId);
    if (!(await removeTeam(services, ofTeam, { uid, actorId }, teamId))) return false;
  }
  await cancelSubscriptionsOf(services, config, uid);
  return removeInBatches(services, uid, [...ofAccount, removeBilling], MAX_BATCHES);
}

async function hasUser({ auth }: Services, uid: string): Promise<boolean> {
  const { users } = await auth.getUsers([{ uid }]);
  return users.length > 0;
}

/** Deleted by another request in the meantime is as good. */
async function deleteUser({ auth }: Services, uid: string): Promise<void> {
  await auth.deleteUser(uid).catch((error: unknown) => {
    if (!hasCode(error, USER_NOT_FOUND)) throw error;
  });
}
