import { describe, expect, test } from 'vitest';
import { loadConfig, type Config } from '../../settings/config.ts';
import { findPlan } from '../../settings/plans.ts';
import { TEST_SETTINGS } from '../../testing/settings.ts';
import { sessionParams } from './checkout-session.ts';
import type { Subject } from '../customers/subject.ts';

const person: Subject = {
  customerId: 'u',
  type: 'user',
  email: 'ada@example.com',
  name: 'Ada',
  ownerId: 'u',
  callerId: 'u',
  callerEmail: 'ada@example.com',
};
const team: Subject = { ...person, customerId: 't', type: 'team', ownerId: 'o' };

function paramsOf(settings: Record<string, string>, subject = person, trialDays = 0) {
  const config: Config = loadConfig({ ...TEST_SETTINGS, ...settings });
  const plan = findPlan(config.plans, 'pro');
  if (plan === undefined) throw new Error('There is no plan pro.');
  const checkout = {
    priceId: 'price_1',
    quantity: 3,
    trialDays,
    ownerId: subject.ownerId,
    callerId: 'buyer',
    key: 'k',
  };
  return sessionParams(config, subject, plan, checkout, 'cus_1');
}

test('a checkout is for the customer, the price and the quantity, and comes back by way of us', () => {
  expect(paramsOf({})).toEqual({
    mode: 'subscription',
    customer: 'cus_1',
    client_reference_id: 'u',
    line_items: [{ price: 'price_1', quantity: 3 }],
    metadata: { firebaseUID: 'u', plan: 'pro' },
    subscription_data: { metadata: { firebaseUID: 'u', plan: 'pro' } },
    success_url: 'https://app.example.com/api/auth/checkout/return?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://app.example.com/billing?checkout=cancelled',
  });
});

test('the checkout of a team names the team, its owner and the buyer', () => {
  const { metadata, subscription_data: data, cancel_url: cancelled } = paramsOf({}, team);
  expect(metadata).toEqual({ teamId: 't', ownerId: 'o', firebaseUID: 'buyer', plan: 'pro' });
  expect(data?.metadata).toEqual(metadata);
  expect(cancelled).toBe('https://app.example.com/billing?checkout=cancelled&team=t');
});

describe('by configuration a checkout', () => {
  test.each<[what: string, settings: Record<string, string>, params: object]>([
    ['takes promotion codes', { PROMOTION_CODES: 'true' }, { allow_promotion_codes: true }],
    [
      'has its taxes calculated, by the address that the customer gives',
      { AUTOMATIC_TAX: 'true' },
      { automatic_tax: { enabled: true }, customer_update: { address: 'auto' } },
    ],
    [
      'asks for an address, and keeps it',
      { COLLECT_ADDRESS: 'true' },
      { billing_address_collection: 'required', customer_update: { address: 'auto' } },
    ],
  ])('%s', (_what, settings, params) => {
    expect(paramsOf(settings)).toEqual({ ...paramsOf({}), ...params });
  });

  test('begins with a trial', () => {
    expect(paramsOf({}, person, 14).subscription_data).toMatchObject({ trial_period_days: 14 });
  });
});
