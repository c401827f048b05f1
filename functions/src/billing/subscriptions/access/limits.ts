import type { AddOn, AddOnQuantities, PlansAndExtras } from '../../../settings/extras.ts';
import { planOrFree, type PlanLimits } from '../../../settings/plans.ts';

/** The limits of the plan, raised by each unit of the add-ons. An unknown plan has the limits of the free plan. */
export function limitsOf(
  { plans, extras }: PlansAndExtras,
  { plan, addOns = {} }: { plan?: string | undefined; addOns?: AddOnQuantities | undefined },
): PlanLimits {
  const { limits } = planOrFree(plans, plan);
  const held = heldAddOns({ extras }, addOns);
  // The app's own limits can be texts or booleans. An add-on raises only numbers.
  const raised = Object.entries(limits).flatMap(([name, limit]) => {
    const added = held.reduce((sum, { addOn, quantity }) => sum + quantity * (addOn.limits[name] ?? 0), 0);
    return typeof limit === 'number' ? [[name, limit + added] as const] : [];
  });
  return { ...limits, ...Object.fromEntries(raised) };
}

/** The add-ons with at least one unit. Leaves out add-ons that were removed from the configuration. */
export function heldAddOns(
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
