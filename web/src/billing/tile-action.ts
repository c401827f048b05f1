import type { Plan } from '@hearth/client';
import type { Holding } from './holding.ts';
import type { Interval } from './offers.ts';
import { canChange } from './subscription.ts';

/**
 * The offer in the tile of a plan:
 *
 * - `subscribe`: the checkout of a new subscription.
 * - `change`: the dialog that changes the subscription to this plan.
 * - `change-interval`: the same dialog, for another interval of the plan that the subscription is to.
 * - `manage`: the page where the subscription is continued: its open invoice, or the portal.
 */
export type TileAction = 'subscribe' | 'change' | 'change-interval' | 'manage';

/** The facts that decide about the offers of the page. */
export interface Situation {
  holding: Holding;
  plans: readonly Plan[];
  /** How often the present subscription is paid. Undefined until it is known. */
  paidInterval: Interval | undefined;
}

/**
 * @param interval of the price that the tile shows; undefined if the plan is sold for neither month nor year
 * @returns undefined if the tile offers no subscription
 */
export function tileActionOf(
  plan: Plan,
  interval: Interval | undefined,
  { holding, plans, paidInterval }: Situation,
): TileAction | undefined {
  if (interval === undefined) return undefined;
  const { subscription, owned, grant, canSubscribe } = holding;
  const isChangeable = subscription !== undefined && canChange(subscription.copy);
  if (!canSubscribe && subscription?.plan === plan) {
    const isOther = paidInterval !== undefined && paidInterval !== interval;
    return isChangeable && isOther && !covers(plans, owned, plan) ? 'change-interval' : undefined;
  }
  if (covers(plans, owned, plan) || covers(plans, grant?.plan, plan)) return undefined;
  if (canSubscribe) return 'subscribe';
  return isChangeable ? 'change' : 'manage';
}

/** Whether a plan is sold for one payment to somebody who has these plans. */
export function canBuyOnce(plan: Plan, { holding: { owned, grant }, plans }: Situation): boolean {
  const endless = grant?.until === undefined ? grant?.plan : undefined;
  return !covers(plans, owned, plan) && !covers(plans, endless, plan);
}

/** True if the plan that somebody has is the wanted one, or a higher one. */
function covers(plans: readonly Plan[], had: Plan | undefined, wanted: Plan): boolean {
  return had !== undefined && plans.indexOf(had) >= plans.indexOf(wanted);
}
