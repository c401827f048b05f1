import type { RequestHandler } from 'express';
import type { Config } from '../../settings/config.ts';
import { callerOf } from '../../auth/caller.ts';
import { refuse } from '../../refusals.ts';
import { findPlan, freePlan, reaches, type PlanList } from '../../settings/plans.ts';

/**
 * Lets through whose own plan is at least another one, behind the authentication of a router group. It costs nothing: the
 * plan is among what Firebase Auth told of the user for this request.
 *
 *     router.get('/reports', requirePlan(config, 'pro'), handler);
 *
 * For what belongs to a team ask `assertPlan` for the plan of the team.
 *
 * @throws Error for a slug that is no plan, when the route is made
 */
export function requirePlan({ plans }: Pick<Config, 'plans'>, least: string): RequestHandler {
  if (findPlan(plans, least) === undefined) throw new Error(`There is no plan ${least}.`);
  return (_request, response, next) => {
    assertPlan(plans, callerOf(response).plan ?? freePlan(plans).slug, least);
    next();
  };
}

/** @throws Refusal 403 for a plan below the least that is needed */
export function assertPlan(plans: PlanList, slug: string, least: string): void {
  if (reaches(plans, slug, least)) return;
  throw refuse('plan_required', { plan: findPlan(plans, least)?.name ?? least });
}
