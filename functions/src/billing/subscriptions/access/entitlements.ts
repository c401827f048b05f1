import { refusal } from '../../../refusals/refusals.ts';
import type { AddOn, AddOnQuantities, PlansAndExtras } from '../../../settings/extras.ts';
import { findPlan, freePlan, planOrFree, type PlanLimits } from '../../../settings/plans.ts';

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

/** The limits of the plan, with what each unit of an add-on adds. If the plan is unknown, the free plan counts. */
export function limitsOf(
  { plans, extras }: PlansAndExtras,
  { plan, addOns = {} }: Pick<PlanHolder, 'plan' | 'addOns'>,
): PlanLimits {
  const { limits } = planOrFree(plans, plan);
  const held = heldAddOns({ extras }, addOns);
  // The app's own limits can be texts or switches. An add-on raises only numbers.
  const raised = Object.entries(limits).flatMap(([name, limit]) => {
    const added = held.reduce((sum, { addOn, quantity }) => sum + quantity * (addOn.limits[name] ?? 0), 0);
    return typeof limit === 'number' ? [[name, limit + added] as const] : [];
  });
  return { ...limits, ...Object.fromEntries(raised) };
}

/** Leaves out add-ons that were removed from the configuration. */
function heldAddOns(
  { extras }: Pick<PlansAndExtras, 'extras'>,
  quantities: AddOnQuantities,
): { addOn: AddOn; quantity: number }[] {
  return extras.addOns
    .map((addOn) => ({
      addOn,
      quantity: Object.hasOwn(quantities, addOn.slug) ? (quantities[addOn.slug] ?? 0) : 0,
    }))
    .filter(({ quantity }) => quantity > 0);
}
