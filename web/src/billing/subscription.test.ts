import { expect, it } from 'vitest';
import {
  canChange,
  effectOfCancelling,
  isBought,
  isRunning,
  stateOf,
  subscriptionSchema,
} from './subscription.ts';

const end = new Date('2030-02-01T00:00:00Z');
const formatDate = (date: Date) => date.toISOString().slice(0, 10);

it.each([
  ['active', false, 'Active: it renews on 2030-02-01.'],
  ['active', true, 'Cancelled: it ends on 2030-02-01.'],
  ['trialing', false, 'In its trial until 2030-02-01.'],
  ['past_due', false, 'The last payment failed. Update your payment method.'],
  ['unpaid', false, 'The last payment failed.'],
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

it.each([
  ['paused', end, 'It ends immediately.'],
  ['unpaid', end, 'It ends immediately.'],
  ['active', end, 'It ends on 2030-02-01. Until then everything stays as it is.'],
  ['past_due', end, 'It ends on 2030-02-01. Until then everything stays as it is.'],
  ['active', undefined, 'It ends with the paid period. Until then everything stays as it is.'],
])('says of the cancellation of a subscription that is %s until %s: %s', (status, date, expected) => {
  expect(effectOfCancelling({ status, end: date }, formatDate)).toBe(expected);
});

it.each<[which: string, document: object, expected: boolean]>([
  ['to a plan', {}, true],
  ['in its trial', { status: 'trialing' }, true],
  ['to something else', { role: null }, false],
  ['that is paused', { status: 'paused' }, false],
  ['that was granted', { status: 'comped', grace_until: end }, false],
])('a subscription %s counts as bought or not', (_which, document, expected) => {
  expect(isBought(subscriptionSchema.parse({ ...stored, ...document }), earlier)).toBe(expected);
});

it('a plan that was bought in an app store is recognized by its store', () => {
  const isFromAppStore = (metadata: object) =>
    subscriptionSchema.parse({ ...stored, metadata }).isFromAppStore;
  expect(isFromAppStore({ store: '', product: 'gold' })).toBe(true);
  expect(isFromAppStore({})).toBe(false);
});
