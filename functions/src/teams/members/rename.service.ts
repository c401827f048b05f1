import type { Backend } from '../../backend.ts';
import { membershipsOf } from './member.store.ts';

/** Bounds the writes of one transaction. https://firebase.google.com/docs/firestore/manage-data/transactions */
const MAX_MEMBERSHIPS = 500;

/**
 * Copies the new display name of a user to their memberships. If the user joins a team at the same moment, that team
 * may show the old name until the next change.
 */
export async function renameMember({ db }: Backend, uid: string, displayName: string | null): Promise<void> {
  await db.run(async (tx) => {
    const memberships = await membershipsOf(tx, uid).limit(MAX_MEMBERSHIPS).findIntact();
    for (const { parentId: teamId, data } of memberships) {
      if (data.displayName !== displayName) tx.members(teamId).update(uid, { displayName });
    }
  });
}
