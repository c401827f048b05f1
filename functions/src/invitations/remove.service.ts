import type { Firestore, Query } from 'firebase-admin/firestore';
import type { Services } from '../services.ts';
import type { RemoveContents } from '../teams/delete.service.ts';
import type { Invitation } from './invitation.ts';
import { invitationsOfTeam, outdatedInvitations } from './invitation.store.ts';

/** Part of deleting a team. */
export const removeInvitations: RemoveContents = async (services, teamId, most) => {
  const firestore = await services.firestore();
  return removeFound(firestore, invitationsOfTeam(firestore, teamId), most);
};

/** Bounds one run; what is left waits for the next. */
const MOST_A_RUN = 500;

/**
 * Removes invitations that are long past. Firestore's TTL policy does the same, but not at a set time and not in the
 * local stack.
 *
 * @returns how many were removed
 */
export async function sweepOutdatedInvitations(services: Services): Promise<number> {
  const firestore = await services.firestore();
  return removeFound(firestore, outdatedInvitations(firestore, services.now()), MOST_A_RUN);
}

async function removeFound(firestore: Firestore, query: Query<Invitation>, most: number): Promise<number> {
  const { docs } = await query.limit(most).get();
  const batch = firestore.batch();
  for (const { ref } of docs) batch.delete(ref);
  await batch.commit();
  return docs.length;
}
