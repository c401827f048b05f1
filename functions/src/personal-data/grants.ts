import type { Tx } from '../firestore/db.ts';
import type { Role } from '@hearth/shared/roles';

/** The loss of rights of a member who gets a lower role or leaves the team. */
export interface RightsLoss {
  readonly teamId: string;
  /** The member. */
  readonly uid: string;
  /** The new role; undefined if the membership ends. */
  readonly role: Role | undefined;
  /** The actor in the audit log: a uid, or `system`. */
  readonly actorId: string;
  readonly now: Date;
}

/**
 * Ends everything that the member granted to others and can no longer grant, in the transaction that takes the rights. A
 * feature that stores such grants provides this function.
 */
export type EndGrants = (tx: Tx, loss: RightsLoss) => Promise<void>;
