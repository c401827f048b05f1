import type Stripe from 'stripe';
import type { Reads } from '../../../firestore/db.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { isForPlan, type AddOn, type AddOnQuantities, type Extras } from '../../../settings/extras.ts';
import type { Interval, IntervalPrice, PaidPlan } from '../../../settings/plans.ts';
import { withPriceIds, type WantedPrice } from '../../catalogue/price-ids.ts';
import { requireAddOnSoldTo, requireIntervalPrice } from '../../catalogue/sale-rules.ts';
import { seatsToBill } from '../plan-item.ts';

/** The purpose of a line item. `seats` are the seats beside a base price. */
export type Purpose = 'plan' | 'seats' | `meter:${string}` | `add-on:${string}`;

export interface LineItem {
  purpose: Purpose;
  priceId: string;
  /** Missing for usage. */
  quantity?: number;
}

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

/**
 * Finds the line items of a subscription to a plan. One call to Stripe for every ten line items. If the plan has a
 * price per seat, reads one document for each 1,000 members of a team.
 *
 * @throws Refusal `plan_not_recurring`, `plan_not_paid_monthly`, `plan_not_paid_yearly`, `add_on_interval_not_offered`,
 *   `price_not_available`
 */
export async function makeLineItems(
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
  const { interval, price } = requireIntervalPrice(plan, chosen);
  const perSeat = plan.perSeat === true;
  const needsMembers = subject.type === 'team' && (perSeat || price.seat !== undefined);
  // A user counts as one member.
  const members = needsMembers ? await reads.members(subject.customerId).count() : 1;
  const { name } = plan;
  const { lookupKey } = price;
  return [
    { purpose: 'plan', name, lookupKey, quantity: perSeat ? members : 1 },
    ...seatLineItems(name, price.seat, members),
    ...price.metered.map(({ meter, lookupKey: key }) => ({
      purpose: purposeOfMeter(meter),
      name,
      lookupKey: key,
    })),
    ...addOns.map(({ addOn, quantity }) => addOnLineItem(addOn, interval, quantity)),
  ];
}

export function purposeOfMeter(meter: string): Purpose {
  return `meter:${meter}`;
}

export function purposeOfAddOn({ slug }: AddOn): Purpose {
  return `add-on:${slug}`;
}

/** Empty if the base price covers all members, because Stripe sells no line item with the quantity 0. */
function seatLineItems(name: string, seat: IntervalPrice['seat'], members: number): WantedLineItem[] {
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
