import { describe, expect, test } from 'vitest';
import { planListSchema } from '../../settings/plans.ts';
import { SAMPLE_PLANS as plans } from '../../testing/sample-plans.ts';
import {
  grantIdOf,
  isLater,
  planOfEvent,
  stateAfter,
  appStoreEventSchema,
  userIdsOf,
  type AppStoreEvent,
} from './app-store-event.ts';

const END = 1_659_331_174_000;

/** The fields of RevenueCat's sample of a first purchase that matter here. */
function event(change: Partial<AppStoreEvent> = {}): AppStoreEvent {
  return appStoreEventSchema.parse({
    id: '12345678-1234-1234-1234-123456789012',
    type: 'INITIAL_PURCHASE',
    event_timestamp_ms: 1_658_726_378_679,
    product_id: 'com.subscription.weekly',
    period_type: 'NORMAL',
    expiration_at_ms: END,
    environment: 'PRODUCTION',
    entitlement_id: null,
    entitlement_ids: ['pro'],
    transaction_id: '123456789012345',
    original_transaction_id: '123456789012345',
    app_user_id: '1234567890',
    aliases: ['$RCAnonymousID:8069238d6049ce87cc529853916d624c'],
    original_app_user_id: '$RCAnonymousID:87c6049c58069238dce29853916d624c',
    store: 'APP_STORE',
    price: 4.99,
    ...change,
  });
}

describe('the state of a purchase', () => {
  test.each([
    ['INITIAL_PURCHASE', END, false],
    ['RENEWAL', END, false],
    ['UNCANCELLATION', END, false],
    ['NON_RENEWING_PURCHASE', END, false],
    ['SUBSCRIPTION_EXTENDED', END, false],
    ['TEMPORARY_ENTITLEMENT_GRANT', END, false],
    ['REFUND_REVERSED', END, false],
    ['BILLING_ISSUE', END, false],
    ['CANCELLATION', END, true],
    ['EXPIRATION', null, true],
  ])('after %s ends at %s', (type, endsAt, isCancelled) => {
    expect(stateAfter(event({ type }))).toEqual({ endsAt, isCancelled });
  });

  test.each(['PRODUCT_CHANGE', 'SUBSCRIPTION_PAUSED', 'TEST', 'SUBSCRIBER_ALIAS', 'NEW_TYPE'])(
    'is not changed by %s',
    (type) => {
      expect(stateAfter(event({ type }))).toBeUndefined();
    },
  );

  test('ends immediately after a refund, and stays after a failed payment until the grace is over', () => {
    expect(stateAfter(event({ type: 'CANCELLATION', cancel_reason: 'CUSTOMER_SUPPORT' }))).toEqual({
      endsAt: null,
      isCancelled: true,
    });
    expect(stateAfter(event({ type: 'CANCELLATION', cancel_reason: 'BILLING_ERROR' }))).toBeUndefined();
    const grace = event({ type: 'BILLING_ISSUE', grace_period_expiration_at_ms: END + 5 });
    expect(stateAfter(grace)).toEqual({ endsAt: END + 5, isCancelled: false });
  });

  test('has no end if the purchase has none', () => {
    const bought = event({ type: 'NON_RENEWING_PURCHASE', expiration_at_ms: null });
    expect(stateAfter(bought)).toEqual({ endsAt: 'never', isCancelled: false });
  });

  test.each([253_402_300_799_000, 8_640_000_000_000_000, Number.MAX_SAFE_INTEGER])(
    'has no end if its end is the time %i, which Firestore cannot store',
    (end) => {
      const bought = event({ expiration_at_ms: end });
      expect(stateAfter(bought)).toEqual({ endsAt: 'never', isCancelled: false });
    },
  );
});

test('an event gives the highest plan for users that its entitlements name', () => {
  expect(planOfEvent(event({ entitlement_ids: ['business', 'pro', 'other'] }), plans)?.slug).toBe('business');
  expect(planOfEvent(event({ entitlement_ids: ['free', 'other'] }), plans)).toBeUndefined();
  expect(planOfEvent(event({ entitlement_ids: null }), plans)).toBeUndefined();
});

test('an entitlement with a former slug of a plan gives the plan', () => {
  const [free, pro, business] = plans;
  const renamed = planListSchema.parse([free, { ...pro, slug: 'starter', formerly: ['pro'] }, business]);
  expect(planOfEvent(event(), renamed)?.slug).toBe('starter');
});

test('ids that RevenueCat made up, and texts that are no uid, name no user', () => {
  expect(userIdsOf(event({ aliases: ['b', '1234567890', 'a/b', '', '__a__', 'x'.repeat(129)] }))).toEqual([
    '1234567890',
    'b',
  ]);
});

test('a purchase keeps its id through renewals, and differs between stores', () => {
  const id = grantIdOf(event());
  expect(id).toMatch(/^store_[0-9a-f]{32}$/);
  expect(grantIdOf(event({ transaction_id: '2', type: 'RENEWAL' }))).toBe(id);
  expect(grantIdOf(event({ original_transaction_id: '2' }))).not.toBe(id);
  expect(grantIdOf(event({ store: 'PLAY_STORE' }))).not.toBe(id);
});

test('the ids decide between events of one moment, and no event is later than itself', () => {
  const [one, other] = [
    { at: 1, eventId: 'a' },
    { at: 1, eventId: 'b' },
  ];
  expect([isLater(one, other), isLater(other, one), isLater(one, one)]).toEqual([false, true, false]);
  expect(isLater({ at: 2, eventId: 'a' }, other)).toBe(true);
});
