import type Stripe from 'stripe';
import type { Reads } from '../../../firestore/db.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { isForPlan, type AddOn, type AddOnQuantities, type Extras } from '../../../settings/extras.ts';
import type { Interval, IntervalPrice, PaidPlan } from '../../../settings/plans.ts';
import { requireAddOnSoldTo, requireInterval } from '../../catalogue/paid-plan.ts';
import { withPriceIds, type WantedPrice } from '../../catalogue/price-ids.ts';
import { seatsToBill } from '../plan-item.ts';

/**
 * The part of a subscription that a line item pays for: the plan, the seats beside a base price, usage, or an add-on.
 */
export type Part = 'plan' | 'seats' | `meter:${string}` | `add-on:${string}`;

export interface LineItem {
  part: Part;
  priceId: string;
  /** Missing for usage. */
  quantity?: number;
}

/** The line items of a subscription. The first one pays for the plan. */
export type LineItems = [LineItem, ...LineItem[]];

/** An add-on of the settings with the units that are wanted. */
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

/**
 * Finds the line items of a subscription to a plan: the plan first, then the seats that the base price does not cover,
 * the usage of meters, and the add-ons. If the base price covers all members, the seats are left out, because Stripe
 * sells no line item with the quantity 0.
 *
 * One call to Stripe for every ten line items. Reads one document for each 1,000 members, none if the plan has no price
 * per seat.
 *
 * @throws Refusal `interval_not_offered`, `price_not_available`
 */
export async function findLineItems(
  reads: Reads,
  stripe: Stripe,
  wanted: PlanWithAddOns,
): Promise<LineItems> {
  return withPriceIds(stripe, await wantedLineItems(reads, wanted));
}

type WantedLineItem = Omit<LineItem, 'priceId'> & WantedPrice;

async function wantedLineItems(
  reads: Reads,
  { subject, plan, interval: chosen, addOns }: PlanWithAddOns,
): Promise<[WantedLineItem, ...WantedLineItem[]]> {
  const { interval, price } = requireInterval(plan, chosen);
  const perSeat = plan.perSeat === true;
  const needsMembers = subject.type === 'team' && (perSeat || price.seat !== undefined);
  // A user counts as one member.
  const members = needsMembers ? await reads.members(subject.customerId).count() : 1;
  const { name } = plan;
  const { lookupKey } = price;
  return [
    { part: 'plan', name, lookupKey, quantity: perSeat ? members : 1 },
    ...seatLineItems(name, price.seat, members),
    ...price.metered.map(({ meter, lookupKey: key }) => ({ part: partOfMeter(meter), name, lookupKey: key })),
    ...addOns.map(({ addOn, quantity }) => addOnLineItem(addOn, interval, quantity)),
  ];
}

export function partOfMeter(meter: string): Part {
  return `meter:${meter}`;
}

export function partOfAddOn({ slug }: AddOn): Part {
  return `add-on:${slug}`;
}

function seatLineItems(name: string, seat: IntervalPrice['seat'], members: number): WantedLineItem[] {
  const quantity = seat === undefined ? 0 : seatsToBill(members, seat.included);
  if (seat === undefined || quantity === 0) return [];
  return [{ part: 'seats', name, lookupKey: seat.lookupKey, quantity }];
}

/**
 * @throws Refusal `interval_not_offered`. Never for a plan that offers the add-on, because the settings require a price
 *   of the add-on for each interval of that plan
 */
export function addOnLineItem(addOn: AddOn, interval: Interval, quantity: number): WantedLineItem {
  const { name, prices } = addOn;
  const price = prices[interval];
  if (price === undefined) throw refusal('add_on_interval_not_offered', { addOn: name });
  return { part: partOfAddOn(addOn), name, lookupKey: price.lookupKey, quantity };
}

/**
 * The add-ons that a subject may buy with a plan.
 *
 * @throws Refusal `add_on_not_found`, `add_on_not_offered`, `add_on_quantity_too_high`
 */
export function requireAddOns(
  extras: Extras,
  { subject, plan }: Pick<PlanWithAddOns, 'subject'> & { plan: Pick<PaidPlan, 'slug' | 'name'> },
  quantities: AddOnQuantities,
): PlanWithAddOns['addOns'] {
  return Object.entries(quantities)
    .filter(([, quantity]) => quantity > 0)
    .map(([slug, quantity]) => {
      const addOn = requireAddOn(extras, slug);
      const { name, maxQuantity } = addOn;
      requireAddOnSoldTo(addOn, subject.type);
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
