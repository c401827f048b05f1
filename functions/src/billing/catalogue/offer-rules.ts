import { refusal } from '../../refusals/refusals.ts';
import type { AddOn, CreditPack } from '../../settings/extras.ts';
import {
  defaultInterval,
  findPlan,
  isPaid,
  type Interval,
  type IntervalPrice,
  type PaidPlan,
  type Plan,
  type PlanList,
  type Price,
  type SubjectType,
} from '../../settings/plans.ts';

/** @throws Refusal `plan_not_found`, `plan_is_free` */
export function requirePaidPlan(plans: PlanList, slug: string): PaidPlan {
  const plan = findPlan(plans, slug);
  if (plan === undefined) throw refusal('plan_not_found');
  if (!isPaid(plan)) throw refusal('plan_is_free');
  return plan;
}

/**
 * @param plan a plan or a credit pack
 * @throws Refusal `plan_for_teams_only`, `plan_for_users_only`
 */
export function requireOfferedTo({ name, for: types }: Plan | CreditPack, type: SubjectType): void {
  if (types.includes(type)) return;
  throw refusal(type === 'user' ? 'plan_for_teams_only' : 'plan_for_users_only', { name });
}

/** @throws Refusal `add_on_for_teams_only`, `add_on_for_users_only` */
export function requireAddOnOfferedTo({ name, for: types }: AddOn, type: SubjectType): void {
  if (types.includes(type)) return;
  throw refusal(type === 'user' ? 'add_on_for_teams_only' : 'add_on_for_users_only', { addOn: name });
}

/**
 * @param wanted by default the month, or the year if the plan has no monthly price
 * @throws Refusal `plan_not_recurring`, `plan_not_paid_monthly`, `plan_not_paid_yearly`
 */
export function requireIntervalPrice(
  plan: PaidPlan,
  wanted?: Interval,
): { interval: Interval; price: IntervalPrice } {
  const interval = wanted ?? defaultInterval(plan);
  const price = interval && plan.prices[interval];
  if (interval === undefined || price === undefined) {
    throw refusal(wanted === undefined ? 'plan_not_recurring' : NOT_PAID[wanted], { plan: plan.name });
  }
  return { interval, price };
}

const NOT_PAID = { month: 'plan_not_paid_monthly', year: 'plan_not_paid_yearly' } as const;

/** @throws Refusal `currency_not_offered` if the price has no amount in the wanted currency */
export function requireCurrency(price: Price, wanted: string | undefined): void {
  if (wanted !== undefined && !isSoldIn(price, wanted)) throw refusal('currency_not_offered');
}

/**
 * A subscription keeps its currency when its plan changes.
 *
 * @throws Refusal `currency_in_use` if the price has no amount in the currency of the subscription
 */
export function requireSameCurrency(price: Price, { currency }: { currency: string }): void {
  if (!isSoldIn(price, currency)) throw refusal('currency_in_use', { currency: currency.toUpperCase() });
}

function isSoldIn({ currency, currencies }: Price, wanted: string): boolean {
  return wanted === currency || Object.hasOwn(currencies, wanted);
}
