import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { recordAudit } from '../audit/audit-log.store.ts';
import type { Role } from './roles.ts';
import { closeOffer, type Team } from './team.store.ts';

/** A member who loses rights inside a transaction: their role falls, or their membership ends. */
export interface RightsLoss {
  transaction: Transaction;
  firestore: Firestore;
  teamId: string;
  uid: string;
  /** The role from now on; undefined when the membership ends. */
  role: Role | undefined;
  /** For the audit log: a uid, or `system`. */
  actorId: string;
  now: Date;
  auditDays: number;
}

/**
 * Ends what a member granted to others and may no longer grant. A feature that stores such grants provides one.
 *
 * Firestore wants all reads of a transaction before its first write, so this only reads.
 *
 * @returns writes the changes; to be called after all reads of the transaction
 */
export type EndGrants = (loss: RightsLoss) => Promise<() => void>;

/** Ends the member's grants, and the transfer offer that they made or got. Reads first, like `EndGrants`. */
export async function endRights(loss: RightsLoss, team: Team, endGrants: EndGrants): Promise<() => void> {
  const writeGrants = await endGrants(loss);
  return () => {
    writeGrants();
    endOffer(loss, team);
  };
}

function endOffer(loss: RightsLoss, team: Team): void {
  const { transaction, firestore, teamId, uid, actorId, now, auditDays } = loss;
  const offer = team.transfer;
  if (!offer || (offer.from !== uid && offer.to !== uid)) return;
  closeOffer(transaction, firestore, teamId);
  recordAudit(transaction, firestore, {
    teamId,
    actorId,
    action: 'team.transfer_withdrawn',
    target: offer.to,
    at: now,
    keptDays: auditDays,
    details: { reason: 'party_lost_rights' },
  });
}
