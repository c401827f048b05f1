import { expect, it } from 'vitest';
import { canChange, isRunning, stateOf, subscriptionSchema } from './subscription.ts';

const end = new Date('2030-02-01T00:00:00Z');
const formatDate = (date: Date) => date.toISOString().slice(0, 10);

it.each([
  ['active', false, 'Active: it renews on 2030-02-01.'],
  ['active', true, 'Cancelled: it ends on 2030-02-01.'],
  ['trialing', false, 'In its trial until 2030-02-01.'],
  ['past_due', false, 'The last payment failed. Update your payment method.'],
  ['unpaid', false, 'The last payment failed. Update your payment method.'],
  ['paused', false, 'Paused.'],
  ['canceled', true, 'Not active.'],
  ['incomplete', false, 'Not active.'],
])('says of a subscription that is %s (cancelled: %s): %s', (status, isEnding, expected) => {
  expect(stateOf({ status, isEnding, end }, formatDate)).toBe(expected);
});

it.each([
  ['active', true],
  ['past_due', true],
  ['incomplete', false],
  ['canceled', false],
])('%s is running: %s', (status, expected) => {
  expect(isRunning({ status })).toBe(expected);
});

it.each([
  ['active', false, true],
  ['trialing', false, true],
  ['active', true, false],
  ['past_due', false, false],
  ['paused', false, false],
])('the plan can be changed if it is %s (cancelled: %s): %s', (status, isEnding, expected) => {
  expect(canChange({ status, isEnding })).toBe(expected);
});

const stored = {
  id: 'sub_1',
  status: 'active',
  role: 'pro',
  cancel_at_period_end: false,
  current_period_end: end,
};
const earlier = new Date('2030-01-15T00:00:00Z');

it.each<[how: string, document: object, state: string, changeable: boolean]>([
  ['not cancelled', {}, 'Active: it renews on 2030-02-01.', true],
  ['cancelled by the API', { cancel_at_period_end: true }, 'Cancelled: it ends on 2030-02-01.', false],
  ["cancelled in Stripe's portal", { cancel_at: end }, 'Cancelled: it ends on 2030-02-01.', false],
  ['cancelled for an earlier day', { cancel_at: earlier }, 'Cancelled: it ends on 2030-01-15.', false],
])('reads a subscription that was %s', (_how, document, state, changeable) => {
  const subscription = subscriptionSchema.parse({ ...stored, ...document });
  expect(stateOf(subscription, formatDate)).toBe(state);
  expect(canChange(subscription)).toBe(changeable);
});
