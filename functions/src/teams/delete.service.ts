import type { Firestore } from 'firebase-admin/firestore';
import { recordAudit } from '../audit/audit-log.store.ts';
import { refuse } from '../refusals.ts';
import { removeFound, purgeInBatches, type Purge } from '../personal-data/removal.ts';
import type { Backend } from '../backend.ts';
import { transact } from '../firestore/transaction.ts';
import { authorizeLegacy } from './authorize.ts';
import { membersRef, ownersOf } from './member.store.ts';
import { deleteTeam, isBeingDeleted, markAsDeleting } from './team.store.ts';

/** Keeps a request well inside the 60 seconds that Hosting waits. */
const MAX_BATCHES = 40;

/** The owner of a team by whose right it is deleted. */
export interface Deleter {
  uid: string;
  /** Whom the log names, where it is not the owner who asks for it. */
  actorId?: string;
}

/**
 * Deletes a team in steps, each of which can be the last before a crash: asked again, it goes on.
 *
 * First the team is marked, in one transaction with the checks: from then on nobody joins it or is invited. Then its
 * contents go in batches, and its owners last of all together with the team, so that they can ask again.
 *
 * @returns whether all is done; otherwise the rest waits for the next call
 * @throws Refusal as authorize; 409 while a subscription of the team runs
 */
export async function removeTeam(backend: Backend, by: Deleter, teamId: string): Promise<boolean> {
  const firestore = await backend.firestore();
  await begin(backend, firestore, by, teamId);
  const isEmpty = await purgeInBatches(
    backend,
    teamId,
    [...backend.hooks.purgeTeam, removeOthers],
    MAX_BATCHES,
  );
  if (!isEmpty) return false;
  await finish(backend, firestore, by, teamId);
  return true;
}

async function begin(backend: Backend, firestore: Firestore, by: Deleter, teamId: string): Promise<void> {
  await transact(firestore, async (transaction) => {
    const { team } = await authorizeLegacy(transaction, firestore, by, teamId, 'team:delete');
    if (isBeingDeleted(team)) return;
    if (team.subscribed === true) {
      throw refuse('subscription_running');
    }
    const now = backend.now();
    markAsDeleting(transaction, firestore, teamId, now);
    recordAudit(transaction, firestore, {
      teamId,
      actorId: by.actorId ?? by.uid,
      action: 'team.deletion_started',
      target: teamId,
      at: now,
      keptDays: backend.auditDays,
    });
  });
}

const removeOthers: Purge = async (backend, teamId, most) => {
  const firestore = await backend.firestore();
  const others = membersRef(firestore, teamId).where('role', 'in', ['admin', 'member']);
  return removeFound(firestore, others, most);
};

async function finish(backend: Backend, firestore: Firestore, by: Deleter, teamId: string): Promise<void> {
  await transact(firestore, async (transaction) => {
    const { team } = await authorizeLegacy(transaction, firestore, by, teamId, 'team:delete');
    const owners = await transaction.get(ownersOf(firestore, teamId));
    for (const { ref } of owners.docs) transaction.delete(ref);
    deleteTeam(transaction, firestore, teamId, team);
    recordAudit(transaction, firestore, {
      teamId,
      actorId: by.actorId ?? by.uid,
      action: 'team.deleted',
      target: teamId,
      at: backend.now(),
      keptDays: backend.auditDays,
      details: { name: team.name, slug: team.slug },
    });
  });
}
