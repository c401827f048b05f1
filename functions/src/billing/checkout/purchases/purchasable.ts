import { refusal } from '../../../refusals/refusals.ts';
import type { Config } from '../../../settings/config.ts';
import { findPlan, type Price, type SubjectType } from '../../../settings/plans.ts';
import { requireOfferedTo } from '../../catalogue/offer-rules.ts';

/** A plan or a credit pack that a one-time purchase buys. */
export interface OneTimeItem {
  slug: string;
  name: string;
  price: Price;
  /** Credits of one pack; null for a plan. */
  credits: number | null;
}

/**
 * Finds the plan or credit pack with this slug.
 *
 * @throws Refusal `item_not_found`, `plan_not_paid_once` for a plan that is not sold by one-time purchases,
 *   `plan_for_teams_only`, `plan_for_users_only`
 */
export function requireOneTimeItem({ plans, extras }: Config, slug: string, type: SubjectType): OneTimeItem {
  const pack = extras.creditPacks.find((pack) => pack.slug === slug);
  const found = pack ?? findPlan(plans, slug);
  if (found === undefined) throw refusal('item_not_found');
  const price = found.prices?.once;
  if (price === undefined) throw refusal('plan_not_paid_once', { plan: found.name });
  requireOfferedTo(found, type);
  return { slug: found.slug, name: found.name, price, credits: pack?.credits ?? null };
}
