import plansJson from '../../functions/plans.json' with { type: 'json' };
import type { PaidPlan, Plan } from '../../functions/src/plans.ts';

/** The plans that the backend is deployed with; the backend checks them, the page only shows them. */
export const PLANS = plansJson as Plan[];

export const PAID_PLANS = PLANS.filter((plan): plan is PaidPlan => plan.prices !== undefined);

/** The name of a plan; its slug should the page be older than the plans. */
export function planName(slug: string): string {
  return PLANS.find((plan) => plan.slug === slug)?.name ?? slug;
}

export function isPaidPlan(slug: string): boolean {
  return slug !== PLANS[0]?.slug;
}

/**
 * An amount as people write it, without cents where there are none.
 *
 * @param unitAmount in the currency's smallest unit, whose size differs: 1200 is 12 dollars, and 1200 yen
 */
export function formatPrice(unitAmount: number, currency: string, locale?: string): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(unitAmount / 10 ** digits);
}
