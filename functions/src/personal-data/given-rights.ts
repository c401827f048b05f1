import type { Role } from '@hearth/shared/roles';
import type { Tx } from '../firestore/db.ts';

/** The loss of rights of a member who gets a lower role or leaves the team. */
export interface RightsLoss {
  readonly teamId: string;
  readonly uid: string;
  /** The new role; undefined if the membership ends. */
  readonly role: Role | undefined;
  /** The actor in the audit log: a uid, or `system`. */
  readonly actorId: string;
  readonly now: Date;
}

/**
 * Ends the rights that the member gave to others and can no longer give, such as open invitations. Runs in the
 * transaction that ends the member's own rights. The feature that stores such rights provides the function.
 */
export type EndGivenRights = (tx: Tx, loss: RightsLoss) => Promise<void>;
