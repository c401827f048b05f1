import { expect, it } from 'vitest';
import { canChange, isRunning, stateOf } from './subscription.ts';

const periodEnd = new Date('2030-02-01T00:00:00Z');
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
])('says of a subscription that is %s (cancelled: %s): %s', (status, cancelAtPeriodEnd, expected) => {
  expect(stateOf({ status, cancelAtPeriodEnd, periodEnd }, formatDate)).toBe(expected);
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
])('the plan can be changed if it is %s (cancelled: %s): %s', (status, cancelAtPeriodEnd, expected) => {
  expect(canChange({ status, cancelAtPeriodEnd })).toBe(expected);
});
