import { refusal } from '../../../refusals/refusals.ts';
import { isForPlan, type AddOn, type AddOnQuantities, type Extras } from '../../../settings/extras.ts';
import type { Interval, IntervalPrice, PaidPlan } from '../../../settings/plans.ts';
import { requireAddOnOfferedTo } from '../../catalogue/offer-rules.ts';
import type { WantedPrice } from '../../catalogue/price-ids.ts';
import { seatsToBill } from '../plan-item.ts';

/** The purpose of a line item. `seats` are the seats beside a base price. */
export type Purpose = 'plan' | 'seats' | `meter:${string}` | `add-on:${string}`;

export interface LineItem {
  purpose: Purpose;
  priceId: string;
  /** Missing for usage. */
  quantity?: number;
}

/** A line item whose price is not yet found at Stripe. */
export type WantedLineItem = Omit<LineItem, 'priceId'> & WantedPrice;

/** The line items of a subscription. The first one pays for the plan. */
export type LineItems = [LineItem, ...LineItem[]];

export interface ChosenAddOn {
  addOn: AddOn;
  quantity: number;
}

export interface PlanWithAddOns {
  subject: { type: 'user' | 'team'; customerId: string };
  plan: PaidPlan;
  interval?: Interval | undefined;
  addOns: readonly ChosenAddOn[];
}

export function purposeOfMeter(meter: string): Purpose {
  return `meter:${meter}`;
}

export function purposeOfAddOn({ slug }: AddOn): Purpose {
  return `add-on:${slug}`;
}

/** Empty if the base price covers all members, because Stripe sells no line item with the quantity 0. */
export function seatLineItems(name: string, seat: IntervalPrice['seat'], members: number): WantedLineItem[] {
  const quantity = seat === undefined ? 0 : seatsToBill(members, seat.included);
  if (seat === undefined || quantity === 0) return [];
  return [{ purpose: 'seats', name, lookupKey: seat.lookupKey, quantity }];
}

/** @throws Refusal `add_on_interval_not_offered` if the add-on has no price for the interval */
export function addOnLineItem(addOn: AddOn, interval: Interval, quantity: number): WantedLineItem {
  const { name, prices } = addOn;
  const price = prices[interval];
  if (price === undefined) throw refusal('add_on_interval_not_offered', { addOn: name });
  return { purpose: purposeOfAddOn(addOn), name, lookupKey: price.lookupKey, quantity };
}

/**
 * The add-ons that were chosen, checked against the settings. May be empty.
 *
 * @throws Refusal `add_on_not_found`, `add_on_not_offered`, `add_on_for_teams_only`, `add_on_for_users_only`,
 *   `add_on_quantity_too_high`
 */
export function findChosenAddOns(
  extras: Extras,
  { subject, plan }: Pick<PlanWithAddOns, 'subject'> & { plan: Pick<PaidPlan, 'slug' | 'name'> },
  quantities: AddOnQuantities,
): PlanWithAddOns['addOns'] {
  return Object.entries(quantities)
    .filter(([, quantity]) => quantity > 0)
    .map(([slug, quantity]) => {
      const addOn = requireAddOn(extras, slug);
      const { name, maxQuantity } = addOn;
      requireAddOnOfferedTo(addOn, subject.type);
      if (!isForPlan(addOn, plan)) throw refusal('add_on_not_offered', { addOn: name, plan: plan.name });
      if (quantity > maxQuantity)
        throw refusal('add_on_quantity_too_high', { addOn: name, max: maxQuantity });
      return { addOn, quantity };
    });
}

/** @throws Refusal `add_on_not_found` */
export function requireAddOn({ addOns }: Extras, slug: string): AddOn {
  const addOn = addOns.find((addOn) => addOn.slug === slug);
  if (addOn === undefined) throw refusal('add_on_not_found');
  return addOn;
}
