import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { currentPlanLegacy } from '../billing/subscriptions/subscription.store.ts';
import type { Config } from '../settings/config.ts';
import type { Caller } from '../auth/caller.ts';
import { findPlan, freePlan, type Plan } from '../settings/plans.ts';
import { authorizeLegacy } from '../teams/authorize.ts';

/** Owner of files whose sender is not signed in, where the configuration allows them; no uid has this form. */
export const ANONYMOUS = '_anonymous';

/** Whom an upload counts for. */
export interface Owner {
  /** A user's uid, a team's id, or ANONYMOUS. */
  id: string;
  /** The uid of who sends it; null where nobody is signed in. */
  createdBy: string | null;
  /**
   * The plan whose limits hold, read in the transaction that reserves the upload.
   *
   * @throws Refusal as authorize, for a team
   */
  planIn: (transaction: Transaction, firestore: Firestore, now: Date) => Promise<Plan>;
}

type Sender = Pick<Caller, 'uid'>;

/** @param teamId of the team that the upload is for, if it is not for the sender */
export function ownerOf({ plans }: Config, sender: Sender | undefined, teamId?: string): Owner {
  if (sender === undefined) {
    return { id: ANONYMOUS, createdBy: null, planIn: () => Promise.resolve(freePlan(plans)) };
  }
  const { uid } = sender;
  if (teamId === undefined) {
    return {
      id: uid,
      createdBy: uid,
      planIn: (_, firestore, now) => currentPlanLegacy(firestore, plans, uid, now),
    };
  }
  return {
    id: teamId,
    createdBy: uid,
    // In the transaction: from the moment that a team is marked as being deleted nothing is added to it.
    planIn: async (transaction, firestore) => {
      const { team } = await authorizeLegacy(transaction, firestore, sender, teamId, 'upload:create');
      return findPlan(plans, team.plan) ?? freePlan(plans);
    },
  };
}
