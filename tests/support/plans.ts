import plansJson from '../../functions/plans.json' with { type: 'json' };
import { planListSchema, type PlanList } from '../../functions/src/settings/plans.ts';

/** The plans of plans.json, with properties added to those that are named by their slug. */
export function plansWith(changes: Readonly<Record<string, object>>): PlanList {
  return planListSchema.parse(plansJson.map((plan) => ({ ...plan, ...changes[plan.slug] })));
}

/** A price of a plan in a test. */
export const priceOf = (lookupKey: string, unitAmount: number, rest: object = {}) => ({
  lookupKey,
  unitAmount,
  currency: 'usd',
  ...rest,
});
