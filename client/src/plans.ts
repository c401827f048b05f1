import type { Plan } from './types.ts';

/**
 * Whether a plan includes something. The backend decides; this shows or hides a part of a page.
 *
 *     hasEntitlement(await hearth.billing.plans(), session.plan, 'export')
 *
 * @param plans the answer of `billing.plans()`
 * @param slug the plan of a user or a team
 * @param entitlement a name in `entitlements` of plans.json
 */
export function hasEntitlement(plans: readonly Plan[], slug: string, entitlement: string): boolean {
  return plans.find((plan) => plan.slug === slug)?.entitlements.includes(entitlement) === true;
}
