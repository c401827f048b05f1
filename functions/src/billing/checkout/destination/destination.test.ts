import { describe, expect, test } from 'vitest';
import { documentOf, subscription, terms } from '../../subscriptions/testing/subscriptions.ts';
import { decideDestination, decidingFieldsOf } from './destination.ts';

type One = Parameters<typeof decideDestination>[0][number];

const NOW = new Date('2026-06-01T00:00:00Z');
const LATER = new Date('2026-06-02T00:00:00Z');
const PAGE = 'https://invoice.stripe.com/i/1';

const one = (status: string, change: Partial<One> = {}): One => ({
  id: `sub_${status}`,
  status,
  cancel_at: null,
  cancel_at_period_end: false,
  invoiceToPay: null,
  grace_until: null,
  ...change,
});

const OPEN: One['invoiceToPay'] = { id: 'in_1', hosted_invoice_url: PAGE };

const PORTAL = { kind: 'portal' };
const INVOICE = { kind: 'invoice', page: { url: PAGE, id: 'in_1' } };

describe('a customer who wants to buy a plan', () => {
  test.each<[what: string, subscriptions: One[], page: object]>([
    ['no subscription', [], { kind: 'checkout', replaces: [] }],
    ['an active one', [one('active')], PORTAL],
    ['one that is cancelled at the end of its period', [one('active', { cancel_at: LATER })], PORTAL],
    ['a trial', [one('trialing')], PORTAL],
    ['one past due with an open invoice', [one('past_due', { invoiceToPay: OPEN })], INVOICE],
    ['one past due without an open invoice', [one('past_due')], PORTAL],
    [
      'one past due without a page',
      [one('past_due', { invoiceToPay: { id: 'in_1', hosted_invoice_url: null } })],
      PORTAL,
    ],
    [
      'one past due, cancelled, within its grace',
      [one('past_due', { cancel_at: LATER, grace_until: LATER, invoiceToPay: OPEN })],
      INVOICE,
    ],
    [
      'one past due, cancelled, at the end of its grace',
      [one('past_due', { cancel_at: LATER, grace_until: NOW, invoiceToPay: OPEN })],
      { kind: 'checkout', replaces: ['sub_past_due'] },
    ],
    [
      'one past due after its grace, that ends with its period',
      [one('past_due', { cancel_at_period_end: true, invoiceToPay: OPEN })],
      { kind: 'checkout', replaces: ['sub_past_due'] },
    ],
    ['an unpaid one', [one('unpaid')], { kind: 'checkout', replaces: ['sub_unpaid'] }],
    ['a paused one', [one('paused')], { kind: 'checkout', replaces: ['sub_paused'] }],
    [
      'an unpaid and a paused one',
      [one('unpaid'), one('paused')],
      { kind: 'checkout', replaces: ['sub_unpaid', 'sub_paused'] },
    ],
    ['an unpaid and an active one', [one('unpaid'), one('active')], PORTAL],
    ['one past due and an active one', [one('past_due', { invoiceToPay: OPEN }), one('active')], PORTAL],
  ])('with %s', (_what, subscriptions, page) => {
    expect(decideDestination(subscriptions, NOW)).toEqual(page);
  });

  test('replaces at most as many subscriptions as the metadata of a session has room for', () => {
    const many = Array.from({ length: 15 }, (_, index) => one('unpaid', { id: `sub_${index}` }));
    const page = decideDestination(many, NOW);
    expect(page.kind === 'checkout' && page.replaces).toHaveLength(10);
  });
});

test('a past due copy that the Stripe extension wrote without a grace does not end the grace', () => {
  const pastDue = subscription([{ lookupKey: 'pro_month' }], { status: 'past_due' });
  const copy = { ...documentOf(pastDue), past_due_since: null, grace_until: null };
  const found = { subscription: pastDue, items: copy.items, copy };
  expect(decidingFieldsOf(found, { ...terms, pastDueGraceDays: 10_000 }).grace_until).not.toBeNull();
});

test('a copy that is still active does not end the grace of a subscription that is past due', () => {
  const active = documentOf(subscription([{ lookupKey: 'pro_month' }]));
  const pastDue = subscription([{ lookupKey: 'pro_month' }], { status: 'past_due' });
  const found = { subscription: pastDue, items: active.items, copy: active };
  expect(decidingFieldsOf(found, { ...terms, pastDueGraceDays: 10_000 }).grace_until).not.toBeNull();
});
