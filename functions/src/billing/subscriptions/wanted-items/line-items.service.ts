import type Stripe from 'stripe';
import type { Reads } from '../../../firestore/db.ts';
import { requireIntervalPrice } from '../../catalogue/offer-rules.ts';
import { withPriceIds } from '../../catalogue/price-ids.ts';
import {
  addOnLineItem,
  purposeOfMeter,
  seatLineItems,
  type LineItems,
  type PlanWithAddOns,
  type WantedLineItem,
} from './line-items.ts';

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
