import { refusal } from '../../../refusals/refusals.ts';
import type { AddOnQuantities, PlansAndExtras } from '../../../settings/extras.ts';
import { findPlan, freePlan } from '../../../settings/plans.ts';
import { heldAddOns } from './limits.ts';

/** A caller or a team, with the plan, the add-ons and further entitlements. */
export interface PlanHolder {
  /** A slug. Undefined on the free plan. */
  readonly plan?: string | undefined;
  readonly addOns?: AddOnQuantities | undefined;
  readonly entitlements?: readonly string[] | undefined;
}

export function hasEntitlement(
  { plans, extras }: PlansAndExtras,
  { plan = freePlan(plans).slug, addOns = {}, entitlements = [] }: PlanHolder,
  name: string,
): boolean {
  return (
    findPlan(plans, plan)?.entitlements.includes(name) === true ||
    heldAddOns({ extras }, addOns).some(({ addOn }) => addOn.entitlements.includes(name)) ||
    entitlements.includes(name)
  );
}

/**
 * Requires an entitlement of the caller, or of a team whose document was read. Costs no reads.
 *
 *     handler: async ({ backend, caller }) => {
 *       requireEntitlement(backend.config, caller, 'export');
 *
 * @throws Refusal `entitlement_required`
 */
export function requireEntitlement(plansAndExtras: PlansAndExtras, holder: PlanHolder, name: string): void {
  if (hasEntitlement(plansAndExtras, holder, name)) return;
  throw refusal('entitlement_required', { entitlement: name });
}
