import { describe, expect, test } from 'vitest';
import type { StoredCheckout } from '../../../firestore/documents/checkout.ts';
import { loadConfig, type Config } from '../../../settings/config.ts';
import { findPlan, isPaid } from '../../../settings/plans.ts';
import { SAMPLE_PLANS } from '../../../testing/sample-plans.ts';
import { TEST_SETTINGS } from '../../../testing/settings.ts';
import type { Subject } from '../../subject.ts';
import { sessionParams } from './session-params.ts';

const user: Subject = {
  customerId: 'u',
  type: 'user',
  email: 'ada@example.com',
  name: 'Ada',
  ownerId: 'u',
  actor: { uid: 'u', email: 'ada@example.com', emailVerified: true },
};
const team: Subject = { ...user, customerId: 't', type: 'team', ownerId: 'o' };

function paramsOf(settings: Record<string, string>, subject = user, chosen: Partial<StoredCheckout> = {}) {
  const config: Config = { ...loadConfig({ ...TEST_SETTINGS, ...settings }), plans: SAMPLE_PLANS };
  const plan = findPlan(config.plans, 'pro');
  if (plan === undefined || !isPaid(plan)) throw new Error('There is no paid plan pro.');
  const checkout = {
    priceId: 'price_1',
    quantity: 3,
    trialDays: 0,
    ownerId: subject.ownerId,
    buyerId: 'buyer',
    idempotencyKey: 'k',
    ...chosen,
  };
  return sessionParams(config, { subject, plan, stripeCustomerId: 'cus_1' }, checkout);
}

test('the session has the seats and add-ons as further line items', () => {
  const furtherItems = [{ priceId: 'price_seat', quantity: 2 }];
  expect(paramsOf({}, user, { furtherItems }).line_items).toEqual([
    { price: 'price_1', quantity: 3 },
    { price: 'price_seat', quantity: 2 },
  ]);
});

test('the session is for the customer, the price and the quantity, and returns through our route', () => {
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

test('the session of a team names the team, its responsible owner and the buyer', () => {
  const { metadata, subscription_data: data, cancel_url: cancelUrl } = paramsOf({}, team);
  expect(metadata).toEqual({ teamId: 't', ownerId: 'o', firebaseUID: 'buyer', plan: 'pro' });
  expect(data?.metadata).toEqual(metadata);
  expect(cancelUrl).toBe('https://app.example.com/billing?checkout=cancelled&team=t');
});

test('the session leads back to the URLs that the client chose', () => {
  const stripeReturnUrls = {
    success: 'https://app.example.com/paid',
    cancel: 'https://app.example.com/prices',
  };
  expect(paramsOf({}, user, { stripeReturnUrls })).toEqual({
    ...paramsOf({}),
    success_url: stripeReturnUrls.success,
    cancel_url: stripeReturnUrls.cancel,
  });
});

test('the session has the currency and the promotion code that its client chose', () => {
  expect(paramsOf({}, user, { currency: 'eur' })).toEqual({ ...paramsOf({}), currency: 'eur' });
  const discounted = { ...paramsOf({}), discounts: [{ promotion_code: 'promo_1' }] };
  expect(paramsOf({}, user, { promotionCodeId: 'promo_1' })).toEqual(discounted);
  expect(paramsOf({ PROMOTION_CODES: 'true' }, user, { promotionCodeId: 'promo_1' })).toEqual(discounted);
});

describe('if configured, the session', () => {
  test.each<[what: string, settings: Record<string, string>, params: object]>([
    ['accepts promotion codes', { PROMOTION_CODES: 'true' }, { allow_promotion_codes: true }],
    [
      'calculates taxes by the address and tax ID that the customer enters',
      { AUTOMATIC_TAX: 'true' },
      {
        automatic_tax: { enabled: true },
        tax_id_collection: { enabled: true },
        customer_update: { address: 'auto', name: 'auto' },
      },
    ],
    [
      'asks for a tax ID',
      { TAX_ID_COLLECTION: 'true' },
      { tax_id_collection: { enabled: true }, customer_update: { name: 'auto' } },
    ],
    [
      'asks for an address and saves it with the customer',
      { COLLECT_ADDRESS: 'true' },
      { billing_address_collection: 'required', customer_update: { address: 'auto' } },
    ],
  ])('%s', (_what, settings, params) => {
    expect(paramsOf(settings)).toEqual({ ...paramsOf({}), ...params });
  });

  test.each(['cancel', 'pause'] as const)(
    'starts a trial without a card; the setting for its end is %s',
    (wanted) => {
      const settings = { TRIAL_WITHOUT_CARD: wanted };
      const params = paramsOf(settings, user, { trialDays: 14 });
      expect(params.payment_method_collection).toBe('if_required');
      expect(params.subscription_data).toMatchObject({
        trial_period_days: 14,
        trial_settings: { end_behavior: { missing_payment_method: wanted } },
      });
      expect(paramsOf(settings)).toEqual(paramsOf({}));
    },
  );

  test('starts with a trial', () => {
    expect(paramsOf({}, user, { trialDays: 14 }).subscription_data).toMatchObject({ trial_period_days: 14 });
  });
});
