import type { Firestore } from 'firebase-admin/firestore';
import { recordAudit } from '../audit/audit-log.store.ts';
import { hasRunningSubscription } from '../billing/subscription.store.ts';
import type { Caller } from '../http/caller.ts';
import { conflict } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { transact } from '../transaction.ts';
import { authorize } from './authorize.ts';
import { membersRef, ownersOf } from './member.store.ts';
import { deleteTeam, isBeingDeleted, markAsDeleting } from './team.store.ts';

/**
 * Removes at most `most` of the things that a feature keeps for a team, and tells how many it removed: fewer means that
 * nothing is left.
 */
export type RemoveContents = (services: Services, teamId: string, most: number) => Promise<number>;

const BATCH_SIZE = 250;

/** Keeps a request well inside the 60 seconds that Hosting waits. */
const MAX_BATCHES = 40;

/**
 * Deletes a team in steps, each of which can be the last before a crash: asked again, it goes on.
 *
 * First the team is marked, in one transaction with the checks: from then on nobody joins it or is invited. Then its
 * contents go in batches, and its owners last of all together with the team, so that they can ask again.
 *
 * @returns whether all is done; otherwise the rest waits for the next call
 * @throws HttpError as authorize; 409 while a subscription of the team runs
 */
export async function removeTeam(
  services: Services,
  contents: readonly RemoveContents[],
  caller: Caller,
  teamId: string,
): Promise<boolean> {
  const firestore = await services.firestore();
  await begin(services, firestore, caller, teamId);
  let batches = 0;
  for (const removeSome of [...contents, removeOthers]) {
    let removed = BATCH_SIZE;
    while (removed === BATCH_SIZE) {
      if (batches++ === MAX_BATCHES) return false;
      removed = await removeSome(services, teamId, BATCH_SIZE);
    }
  }
  await finish(services, firestore, caller, teamId);
  return true;
}

async function begin(
  services: Services,
  firestore: Firestore,
  caller: Caller,
  teamId: string,
): Promise<void> {
  await transact(firestore, async (transaction) => {
    const { team } = await authorize(transaction, firestore, caller, teamId, 'team:delete');
    if (isBeingDeleted(team)) return;
    if (await hasRunningSubscription(transaction, firestore, teamId)) {
      throw conflict('Cancel the subscription of the team first.', 'subscription_running');
    }
    const now = services.now();
    markAsDeleting(transaction, firestore, teamId, now);
    recordAudit(transaction, firestore, {
      teamId,
      actorId: caller.uid,
      action: 'team.deletion_started',
      target: teamId,
      at: now,
    });
  });
}

const removeOthers: RemoveContents = async (services, teamId, most) => {
  const firestore = await services.firestore();
  const members = membersRef(firestore, teamId);
  const { docs } = await members.where('role', 'in', ['admin', 'member']).limit(most).get();
  const batch = firestore.batch();
  for (const { ref } of docs) batch.delete(ref);
  await batch.commit();
  return docs.length;
};

async function finish(
  services: Services,
  firestore: Firestore,
  caller: Caller,
  teamId: string,
): Promise<void> {
  await transact(firestore, async (transaction) => {
    const { team } = await authorize(transaction, firestore, caller, teamId, 'team:delete');
    const owners = await transaction.get(ownersOf(firestore, teamId));
    for (const { ref } of owners.docs) transaction.delete(ref);
    deleteTeam(transaction, firestore, teamId, team);
    recordAudit(transaction, firestore, {
      teamId,
      actorId: caller.uid,
      action: 'team.deleted',
      target: teamId,
      at: services.now(),
      details: { name: team.name, slug: team.slug },
    });
  });
}
