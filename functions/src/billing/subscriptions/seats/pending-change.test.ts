import { describe, expect, test } from 'vitest';
import type { PlanItem } from '../plan-item.ts';
import { isOtherChangePending } from './pending-change.ts';

const item = (id: string, price: string, quantity?: number) => ({
  id,
  price: { id: price, lookup_key: price },
  ...(quantity !== undefined && { quantity }),
});

const seatItem = (id: string | undefined) => ({
  id,
  lookupKey: 'seat',
  planName: 'Plan',
  quantity: 0,
  included: 3,
});

const perSeat: PlanItem = { id: 'si_plan', quantity: 3, pricing: { kind: 'per-seat' } };
const withoutSeats: PlanItem = {
  id: 'si_plan',
  quantity: 1,
  pricing: { kind: 'base-price', seatItem: seatItem(undefined) },
};
const withSeats: PlanItem = {
  ...withoutSeats,
  pricing: { kind: 'base-price', seatItem: seatItem('si_seat') },
};

const addOn = item('si_add_on', 'add_on', 2);
const seats = [item('si_plan', 'plan', 3), addOn];
const base = [item('si_plan', 'plan', 1), addOn];

type Items = ReturnType<typeof item>[];

const isOther = (planItem: PlanItem, before: Items, after: Items | null, rest: object = {}) =>
  isOtherChangePending(
    {
      items: { data: before },
      pending_update: { expires_at: 1, subscription_items: after, ...rest },
    },
    planItem,
  );

describe('a change that waits for its payment', () => {
  test.each<[what: string, planItem: PlanItem, before: Items, after: Items]>([
    ['another number of seats', perSeat, seats, [item('si_plan', 'plan', 4), addOn]],
    ['the first seat beside a base price', withoutSeats, base, [...base, item('si_new', 'seat', 1)]],
    [
      'more seats beside a base price',
      withSeats,
      [...base, item('si_seat', 'seat', 1)],
      [...base, item('si_seat', 'seat', 2)],
    ],
    [
      'only the line item of the seats, as an older answer of Stripe lists it',
      perSeat,
      seats,
      [item('si_plan', 'plan', 4)],
    ],
  ])('is that of the seats: %s', (_what, planItem, before, after) => {
    expect(isOther(planItem, before, after)).toBe(false);
    expect(isOther(planItem, before, after, { trial_end: null, metadata: {}, discounts: [] })).toBe(false);
  });

  test.each<[what: string, planItem: PlanItem, before: Items, after: Items | null, rest?: object]>([
    ['another price of the plan', perSeat, seats, [item('si_plan', 'plan_year', 3), addOn]],
    [
      'another number of units of an add-on',
      perSeat,
      seats,
      [item('si_plan', 'plan', 3), item('si_add_on', 'add_on', 3)],
    ],
    ['a new add-on', perSeat, [item('si_plan', 'plan', 3)], [item('si_plan', 'plan', 3), addOn]],
    ['a new add-on beside a base price', withoutSeats, [item('si_plan', 'plan', 1)], base],
    ['another number of the base price', withoutSeats, base, [item('si_plan', 'plan', 2), addOn]],
    ['a new period', perSeat, seats, [item('si_plan', 'plan', 4), addOn], { billing_cycle_anchor: 1 }],
    ['the end of a trial', perSeat, seats, null, { trial_end: 1 }],
    ['metadata of a change by us', perSeat, seats, seats, { metadata: { replacedSchedule: 'sub_sched_1' } }],
  ])('is another one: %s', (_what, planItem, before, after, rest) => {
    expect(isOther(planItem, before, after, rest)).toBe(true);
  });

  test('does not exist', () => {
    expect(isOtherChangePending({ items: { data: seats }, pending_update: null }, perSeat)).toBe(false);
  });
});
