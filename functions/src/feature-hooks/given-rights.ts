import type { Role } from '@hearth/shared/roles';
import type { Tx } from '../firestore/db.ts';

/** A member who gets a lower role or leaves the team. */
export interface RightsLoser {
  readonly teamId: string;
  readonly uid: string;
  /** The actor in the audit log: a uid, or `system`. */
  readonly actorId: string;
}

/** The loss of rights of a member. */
export interface RightsLoss extends RightsLoser {
  /** The new role; undefined if the membership ends. */
  readonly role: Role | undefined;
  readonly now: Date;
}

/**
 * Ends the rights that the member gave to others and can no longer give, such as open invitations. Runs in the
 * transaction that ends the member's own rights. The feature that stores such rights provides the function.
 *
 * @returns false if more rights may be left than one transaction ends. After the commit, `EndRemainingRightsWith` ends
 *   them
 */
export type EndGivenRights = (tx: Tx, loss: RightsLoss) => Promise<boolean>;

/**
 * Ends the rights that `EndGivenRights` has left, in batches. Idempotent. Each batch reads the role that the member has
 * now, and keeps the rights that this role can give.
 *
 * @typeParam B is `Backend`
 */
export type EndRemainingRightsWith<B> = (backend: B, loser: RightsLoser) => Promise<void>;
