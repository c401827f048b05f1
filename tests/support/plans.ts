import plansJson from '../../functions/plans.json' with { type: 'json' };
import {
  defaultInterval,
  isPaid,
  planListSchema,
  type PaidPlan,
  type PlanList,
  type SubjectType,
} from '../../functions/src/settings/plans.ts';
import { SAMPLE_PLANS } from '../../functions/src/testing/sample-plans.ts';

/** The plans of the project, which the running stack has. An app of `serveApp` has SAMPLE_PLANS. */
export const PROJECT_PLANS = planListSchema.parse(plansJson);

/** The plans of the project that users or teams can subscribe to, from least to most. A project may have none. */
export function subscribablePlans(type: SubjectType): PaidPlan[] {
  return PROJECT_PLANS.filter(isPaid).filter(
    (plan) => plan.for.includes(type) && defaultInterval(plan) !== undefined,
  );
}

/** The plans of SAMPLE_PLANS, with properties added to some plans, by their slug. */
export function plansWith(changes: Readonly<Record<string, object>>): PlanList {
  return planListSchema.parse(SAMPLE_PLANS.map((plan) => ({ ...plan, ...changes[plan.slug] })));
}

/** A price of a plan in a test. */
export const priceOf = (lookupKey: string, unitAmount: number, rest: object = {}) => ({
  lookupKey,
  unitAmount,
  currency: 'usd',
  ...rest,
});

/** Pro is also sold once, for $199. */
export const PRO_SOLD_ONCE = plansWith({
  pro: {
    prices: { month: priceOf('hearth_pro_monthly', 1_200), once: priceOf('hearth_pro_once', 19_900) },
  },
});
