import type { Caller } from '../../auth/caller.ts';
import type { Backend } from '../../backend.ts';
import { limitsOf } from '../../billing/access/entitlements.ts';
import { currentHolding } from '../../billing/subscriptions/subscription.store.ts';
import type { Tx } from '../../firestore/db.ts';
import type { Limits } from '../../settings/plans.ts';
import { authorize } from '../../teams/authorize.ts';

/** Owner of anonymous uploads. No uid has this form. */
export const ANONYMOUS = '_anonymous';

/** The user or team whose quota an upload counts for, with the sender. An anonymous upload counts for no quota. */
export type Owner =
  | { readonly type: 'anonymous'; readonly id: typeof ANONYMOUS; readonly senderId: null }
  | {
      readonly type: 'user' | 'team';
      /** A uid or the id of a team. */
      readonly id: string;
      /** The uid of the user who sends the upload. */
      readonly senderId: string;
    };

/**
 * The owner of a new upload.
 *
 * @param sender undefined for an anonymous upload
 * @param teamId the team that the upload is for; undefined if it is for the sender
 */
export function ownerOf(sender: Pick<Caller, 'uid'> | undefined, teamId?: string): Owner {
  if (sender === undefined) return { type: 'anonymous', id: ANONYMOUS, senderId: null };
  const { uid } = sender;
  return teamId === undefined
    ? { type: 'user', id: uid, senderId: uid }
    : { type: 'team', id: teamId, senderId: uid };
}

/**
 * Checks the sender's right to upload to a team, and returns the limits of the owner's plan and add-ons.
 *
 * - Team: reads the team and the sender's membership in the transaction. So nobody can upload to a team once its deletion
 *   has begun.
 * - User: reads the subscriptions outside of the transaction, because every upload would wait for the sync of a
 *   subscription if it locked them. If the plan changes at that moment, the limits may be those before or after.
 *
 * @throws Refusal as `authorize`, for a team
 */
export async function authorizeAndReadLimits(
  { config, db, now }: Backend,
  tx: Tx,
  owner: Owner,
): Promise<Limits> {
  if (owner.type === 'anonymous') return limitsOf(config, {});
  if (owner.type === 'user') {
    const { plan, addOns } = await currentHolding(db, config, owner.id, now());
    return limitsOf(config, { plan: plan.slug, addOns });
  }
  const { team } = await authorize(tx, { uid: owner.senderId }, owner.id, 'upload:create');
  return limitsOf(config, team);
}
