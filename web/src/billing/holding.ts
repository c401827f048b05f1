import type { Plan } from '@hearth/client';
import {
  isEntitling,
  isGranted,
  isReplaceable,
  isRunning,
  planOf,
  type Subscription,
} from './subscription.ts';

/** A plan that an operator has given, or that was bought in an app store. */
export interface Grant {
  plan: Plan;
  isFromAppStore: boolean;
  /** Undefined for a plan without an end. */
  until: Date | undefined;
  /** Whether the app store may prolong it. */
  mayRenew: boolean;
}

/** The plans of a user or a team, and the subscription that pays for one of them. */
export interface Holding {
  /** The highest plan that it has now; the free plan if there is no other. */
  current: Plan | undefined;
  /** The highest plan that was paid once. */
  owned: Plan | undefined;
  /** The highest plan that was granted. */
  grant: Grant | undefined;
  /**
   * The running subscription to the highest plan. The backend changes and cancels this one. It may give no plan now.
   */
  subscription: { copy: Subscription; plan: Plan; isEntitling: boolean } | undefined;
  /** Whether a checkout sells a new subscription. Otherwise it leads to an invoice or to the portal. */
  canSubscribe: boolean;
}

/**
 * @param plans from least to most
 * @param subscriptions with granted plans
 */
export function holdingOf(
  plans: readonly Plan[],
  subscriptions: readonly Subscription[],
  owned: Plan | undefined,
  now: Date,
): Holding {
  const given = subscriptions.filter((one) => isEntitling(one, now));
  const held = new Set([owned, ...given.map((one) => planOf(one, plans))]);
  const running = byPlan(plans, subscriptions.filter(isRunning), ({ created }) => created);
  const [best] = running;
  return {
    current: plans.findLast((plan) => held.has(plan)) ?? plans[0],
    owned,
    grant: grantOf(plans, given.filter(isGranted)),
    subscription: best && { ...best, isEntitling: isEntitling(best.copy, now) },
    canSubscribe: running.every(({ copy }) => isReplaceable(copy, now)),
  };
}

interface WithPlan {
  copy: Subscription;
  plan: Plan;
}

/** The subscriptions to plans, the highest plan first, and of several to one plan the latest. */
function byPlan(
  plans: readonly Plan[],
  subscriptions: readonly Subscription[],
  timeOf: (subscription: Subscription) => Date | null,
): WithPlan[] {
  const time = ({ copy }: WithPlan) => timeOf(copy)?.getTime() ?? 0;
  return subscriptions
    .flatMap((copy) => {
      const plan = planOf(copy, plans);
      return plan === undefined ? [] : [{ copy, plan }];
    })
    .sort((a, b) => plans.indexOf(b.plan) - plans.indexOf(a.plan) || time(b) - time(a));
}

/** The backend stores this year for a plan without an end. */
const NEVER = 9999;

function grantOf(plans: readonly Plan[], granted: readonly Subscription[]): Grant | undefined {
  const [best] = byPlan(plans, granted, ({ graceUntil }) => graceUntil);
  if (best === undefined) return undefined;
  const { graceUntil, end, isEnding, isFromAppStore } = best.copy;
  const isEndless = graceUntil === null || graceUntil.getUTCFullYear() >= NEVER;
  return {
    plan: best.plan,
    isFromAppStore,
    // A plan of an app store stays for a day after its end, because the news about a renewal may come late.
    until: isEndless ? undefined : ((isFromAppStore ? end : undefined) ?? graceUntil),
    mayRenew: isFromAppStore && !isEndless && !isEnding,
  };
}
