import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../firestore/db.ts';
import { SYSTEM } from '../../../firestore/documents/audit-entry.ts';
import type { SubscriptionDocument } from '../../../firestore/documents/subscription.ts';
import type { Team } from '../../../firestore/documents/team.ts';
import type { PlansAndExtras } from '../../../settings/extras.ts';
import { findPlan } from '../../../settings/plans.ts';
import { limitsOf } from '../access/entitlements.ts';
import type { Holding } from '../holding.ts';
import { isBilledPerSeat, planItemOf } from '../plan-item.ts';
import { isRunning } from '../status.ts';

interface TeamPlanChange {
  teamId: string;
  /** The document as it is stored. */
  team: Team;
  /** The plan and the add-ons that the team has now. */
  holding: Holding;
  /** The entitlements that Stripe gives the team; undefined if Stripe has never given any. */
  entitlements: readonly string[] | undefined;
  plansAndExtras: PlansAndExtras;
  /**
   * The team's running subscriptions, its granted plans, and the subscription that was just synced, even if it has
   * ended.
   */
  subscriptions: readonly SubscriptionDocument[];
  now: Date;
}

/**
 * Gives a team the limits of its plan and add-ons. If the team has more members than the new limit, they stay and
 * nobody can be added. If the plan changes, the audit log gets an entry.
 */
export function updateTeamPlan(tx: Tx, input: TeamPlanChange): void {
  const { teamId, team, holding, entitlements, plansAndExtras, subscriptions, now } = input;
  const { plan, addOns } = holding;
  const { plans } = plansAndExtras;
  const change = {
    plan: plan.slug,
    seatLimit: limitsOf(plansAndExtras, { plan: plan.slug, addOns }).seats,
    subscribed: subscriptions.some(isRunning),
    seatsBilled: subscriptions.some((subscription) => {
      const item = planItemOf(subscription, plans);
      return item !== undefined && isBilledPerSeat(item);
    }),
    ...(!isDeepStrictEqual(team.addOns ?? {}, addOns) && { addOns }),
    ...(entitlements && { entitlements: [...entitlements] }),
  };
  if (!isDeepStrictEqual({ ...team, ...change }, team)) tx.teams.update(teamId, change);
  // A plan that was renamed is the same plan.
  if (findPlan(plans, team.plan) === plan) return;
  tx.audit.record({
    teamId,
    actorId: SYSTEM,
    action: 'billing.plan_changed',
    target: teamId,
    at: now,
    details: { from: team.plan, to: plan.slug },
  });
}
