import { refuse } from '../../refusals.ts';
import type { Config } from '../../settings/config.ts';
import { findPlan, freePlan, type Limits, type PlanList } from '../../settings/plans.ts';

/** A caller or a team: their plan, and entitlements that they have besides those of the plan. */
export interface PlanHolder {
  /** A slug. Undefined on the free plan. */
  readonly plan?: string | undefined;
  readonly entitlements?: readonly string[] | undefined;
}

/** Whether a caller or a team has an entitlement, by their plan or besides it. */
export function hasEntitlement(
  plans: PlanList,
  { plan = freePlan(plans).slug, entitlements }: PlanHolder,
  name: string,
): boolean {
  return findPlan(plans, plan)?.entitlements.includes(name) === true || entitlements?.includes(name) === true;
}

/**
 * Requires an entitlement of the caller, or of a team whose document was read. Costs no reads.
 *
 *     handler: async ({ backend, caller }) => {
 *       requireEntitlement(backend.config, caller, 'export');
 *
 * @throws Refusal 403 `entitlement_required`
 */
export function requireEntitlement({ plans }: Pick<Config, 'plans'>, holder: PlanHolder, name: string): void {
  if (!hasEntitlement(plans, holder, name)) throw refuse('entitlement_required', { entitlement: name });
}

/** The limits of a caller or a team. Those of the free plan if there is no plan with their slug. */
export function limitsOf({ plans }: Pick<Config, 'plans'>, { plan }: Pick<PlanHolder, 'plan'>): Limits {
  return ((plan === undefined ? undefined : findPlan(plans, plan)) ?? freePlan(plans)).limits;
}
