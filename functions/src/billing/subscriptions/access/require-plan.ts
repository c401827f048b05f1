import type { Caller } from '../../../auth/caller.ts';
import { refusal } from '../../../refusals/refusals.ts';
import type { Config } from '../../../settings/config.ts';
import { findPlan, freePlan, isPlanAtLeast, type PlanList } from '../../../settings/plans.ts';

/**
 * Requires that the caller's own plan is at least `least`. Costs no reads, because the plan is a custom claim.
 *
 *     handler: async ({ backend, caller }) => {
 *       requirePlan(backend.config, caller, 'pro');
 *
 * For data of a team call `requireAtLeast` with the plan of the team.
 *
 * @throws Refusal `plan_required`
 * @throws Error if there is no plan `least`
 */
export function requirePlan(
  { plans }: Pick<Config, 'plans'>,
  { plan }: Pick<Caller, 'plan'>,
  least: string,
): void {
  if (findPlan(plans, least) === undefined) throw new Error(`There is no plan ${least}.`);
  requireAtLeast(plans, plan ?? freePlan(plans).slug, least);
}

/**
 * Requires a plan or a higher one.
 *
 * @param slug of the plan that a user or team has
 * @param least slug of the required plan
 * @throws Refusal `plan_required`
 */
export function requireAtLeast(plans: PlanList, slug: string, least: string): void {
  if (isPlanAtLeast(plans, slug, least)) return;
  throw refusal('plan_required', { plan: findPlan(plans, least)?.name ?? least });
}
