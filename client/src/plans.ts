import type { AddOn, Extras, Plan } from './types.ts';

/** The plan and the add-ons of a user or a team: the session, or the answer of `teams.get()`. */
export interface Holder {
  /** Slug of the plan. */
  plan: string;
  /** Units of add-ons by their slugs. */
  addOns?: Readonly<Record<string, number>> | undefined;
}

/**
 * The plan that has this slug now, or had it before. Use it for a slug in a document or a custom claim: after a plan
 * was renamed, they keep the former slug until the next sync.
 *
 * @param plans the answer of `billing.plans()`
 */
export function findPlan(plans: readonly Plan[], slug: string): Plan | undefined {
  return plans.find((plan) => plan.slug === slug || plan.formerly.includes(slug));
}

type AddOns = Pick<Extras, 'addOns'>;

const NONE: AddOns = { addOns: [] };

/**
 * Whether a plan or an add-on includes something. For showing or hiding parts of a page; the backend enforces
 * entitlements.
 *
 *     hasEntitlement(await hearth.billing.plans(), session, 'export', await hearth.billing.extras())
 *
 * @param plans the answer of `billing.plans()`
 * @param holder the session or a team; or the slug of a plan, without add-ons
 * @param entitlement a name in `entitlements` of plans.json or extras.json
 * @param extras the answer of `billing.extras()`; needed only if the app sells add-ons
 */
export function hasEntitlement(
  plans: readonly Plan[],
  holder: string | Holder,
  entitlement: string,
  extras: AddOns = NONE,
): boolean {
  const { plan, addOns } = typeof holder === 'string' ? { plan: holder } : holder;
  return (
    findPlan(plans, plan)?.entitlements.includes(entitlement) === true ||
    held(extras, addOns).some(({ addOn }) => addOn.entitlements.includes(entitlement))
  );
}

/**
 * A limit of a plan, including add-ons. Undefined if there is no such plan or limit.
 *
 *     limitOf(await hearth.billing.plans(), session, 'projects', await hearth.billing.extras())
 *
 * @param name of a limit in plans.json
 * @param extras the answer of `billing.extras()`; needed only if the app sells add-ons
 */
export function limitOf(
  plans: readonly Plan[],
  { plan, addOns }: Holder,
  name: string,
  extras: AddOns = NONE,
): number | string | boolean | undefined {
  const limits: Readonly<Record<string, number | string | boolean>> = findPlan(plans, plan)?.limits ?? {};
  const limit = limits[name];
  if (typeof limit !== 'number') return limit;
  const added = held(extras, addOns).map(({ addOn, quantity }) => quantity * (addOn.limits[name] ?? 0));
  return added.reduce((sum, number) => sum + number, limit);
}

function held({ addOns }: AddOns, units: Holder['addOns'] = {}): { addOn: AddOn; quantity: number }[] {
  return addOns
    .map((addOn) => ({ addOn, quantity: units[addOn.slug] ?? 0 }))
    .filter(({ quantity }) => quantity > 0);
}
