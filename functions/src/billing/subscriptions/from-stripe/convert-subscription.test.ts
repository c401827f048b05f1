import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { DocumentPath } from '../../../firestore/convert.ts';
import type { InvoiceSummary } from '../../../firestore/documents/subscription.ts';
import { holdingOf } from '../holding.ts';
import { documentOf, subscription, terms, type Item } from '../testing/subscriptions.ts';

describe('the document of a subscription', () => {
  test('has the shape of the Stripe extension', () => {
    const document = documentOf(
      subscription([{ lookupKey: 'pro_month', product: { id: 'prod_2' }, quantity: 3 }], {
        cancel_at: 1_702_592_000,
        trial_end: 0,
      }),
    );
    expect(document).toEqual({
      status: 'active',
      role: 'pro',
      metadata: { firebaseUID: 'u' },
      items: [{ id: 'si_1', price: 'price_1', lookupKey: 'pro_month', product: 'prod_2', quantity: 3 }],
      price: new DocumentPath('products/prod_2/prices/price_1'),
      product: new DocumentPath('products/prod_2'),
      prices: [new DocumentPath('products/prod_2/prices/price_1')],
      priceId: 'price_1',
      quantity: 3,
      cancel_at_period_end: false,
      created: new Date('2023-11-14T22:13:20Z'),
      current_period_start: new Date('2023-11-14T22:13:20Z'),
      current_period_end: new Date('2023-12-14T22:13:20Z'),
      cancel_at: new Date('2023-12-14T22:13:20Z'),
      canceled_at: null,
      ended_at: null,
      trial_start: null,
      trial_end: new Date(0),
      past_due_since: null,
      grace_until: null,
      collection_paused: null,
      latest_invoice: null,
      schedule: null,
      stripeLink: 'https://dashboard.stripe.com/test/subscriptions/sub_1',
    });
  });

  test.each<[string, Item[], string | null]>([
    ['monthly price', [{ lookupKey: 'pro_month' }], 'pro'],
    ['yearly price', [{ lookupKey: 'business_year' }], 'business'],
    ['add-on before the plan', [{ lookupKey: 'addon' }, { lookupKey: 'pro_month' }], 'pro'],
    [
      'yearly price beside another plan',
      [{ lookupKey: 'business_year' }, { lookupKey: 'pro_month' }],
      'business',
    ],
    [
      'price after that of a lower plan',
      [{ lookupKey: 'pro_month' }, { lookupKey: 'business_year' }],
      'business',
    ],
    ['price without lookup key', [{ lookupKey: null }], null],
    ['price of no plan', [{ lookupKey: 'retired' }], null],
    ['nothing', [], null],
  ])('has the plan of a %s', (_case, items, role) => {
    expect(documentOf(subscription(items)).role).toBe(role);
  });

  test.each([null, 1_702_592_000])('has the pause of its collection, until %s', (resumesAt) => {
    const paused = { behavior: 'void' as const, resumes_at: resumesAt };
    const document = documentOf(subscription([{ lookupKey: 'pro_month' }], { pause_collection: paused }));
    const until = resumesAt && new Date('2023-12-14T22:13:20Z');
    expect(document.collection_paused).toEqual({ behavior: 'void', resumes_at: until });
  });

  test('without items has no price or period', () => {
    expect(documentOf(subscription([]))).toMatchObject({
      price: null,
      quantity: null,
      current_period_end: null,
    });
  });

  test('has a link to live mode for a live subscription', () => {
    expect(documentOf(subscription([], { livemode: true })).stripeLink).toBe(
      'https://dashboard.stripe.com/subscriptions/sub_1',
    );
  });
});

describe('a subscription whose payment failed', () => {
  const day = 86_400;
  const failed = Date.parse('2023-11-30T00:00:00Z') / 1000;
  const invoice = {
    id: 'in_1',
    status: 'open',
    amount_due: 1200,
    currency: 'usd',
    created: failed,
    due_date: null,
    next_payment_attempt: failed + 3 * day,
    hosted_invoice_url: 'https://invoice.stripe.com/i/1',
  } as Stripe.Invoice;
  const pastDue = subscription([{ lookupKey: 'pro_month' }], { status: 'past_due', latest_invoice: invoice });

  test.each<[graceDays: number, at: string, until: string | null, plan: string]>([
    [0, '2023-11-30T00:00:00Z', null, 'free'],
    [3, '2023-11-30T00:00:00Z', '2023-12-03T00:00:00Z', 'pro'],
    [3, '2023-12-02T23:59:59Z', '2023-12-03T00:00:00Z', 'pro'],
    [3, '2023-12-03T00:00:00Z', null, 'free'],
  ])('with %s days of grace, at %s, has grace until %s and gives %s', (pastDueGraceDays, at, until, slug) => {
    const document = documentOf(pastDue, { ...terms, pastDueGraceDays, now: new Date(at) });
    expect(document.grace_until).toEqual(until && new Date(until));
    expect(holdingOf([document], terms, new Date(at)).plan.slug).toBe(slug);
  });

  test('has the grace of its first unpaid invoice, whatever invoices followed', () => {
    const pastDueSince = new Date('2023-11-28T00:00:00Z');
    const at = { ...terms, pastDueGraceDays: 7, now: new Date('2023-12-01T00:00:00Z') };
    expect(documentOf(pastDue, { ...at, pastDueSince })).toMatchObject({
      past_due_since: pastDueSince,
      grace_until: new Date('2023-12-05T00:00:00Z'),
    });
    const paid = subscription([{ lookupKey: 'pro_month' }]);
    expect(documentOf(paid, { ...at, pastDueSince })).toMatchObject({
      past_due_since: null,
      grace_until: null,
    });
  });

  test.each<[what: string, dueDate: number | null, since: string]>([
    ['its due date, if the invoice was sent', failed + 30 * day, '2023-12-30T00:00:00Z'],
    ['the time at which it was made, if it was charged', null, '2023-11-30T00:00:00Z'],
  ])('has the grace of its latest invoice from %s', (_what, dueDate, since) => {
    const latest = { ...invoice, due_date: dueDate };
    const overdue = subscription([{ lookupKey: 'pro_month' }], {
      status: 'past_due',
      latest_invoice: latest,
    });
    const pastDueSince = new Date(since);
    const now = new Date(pastDueSince.getTime() + 1000);
    expect(documentOf(overdue, { ...terms, pastDueGraceDays: 7, now })).toMatchObject({
      past_due_since: pastDueSince,
      grace_until: new Date(pastDueSince.getTime() + 7 * day * 1000),
    });
  });

  test('has a summary of the unpaid invoice, with the next attempt', () => {
    expect(documentOf(pastDue).latest_invoice).toEqual({
      id: 'in_1',
      status: 'open',
      amount_due: 1200,
      currency: 'usd',
      created: new Date('2023-11-30T00:00:00Z'),
      next_payment_attempt: new Date('2023-12-03T00:00:00Z'),
      hosted_invoice_url: 'https://invoice.stripe.com/i/1',
    });
  });

  const newUrl = 'https://invoice.stripe.com/i/1';
  const storedUrl = `${newUrl}?s=stored`;
  test.each<[what: string, invoice: Partial<Stripe.Invoice>, before: Partial<InvoiceSummary>, url: string]>([
    ['keeps its URL of an unchanged invoice', {}, {}, storedUrl],
    ['has a new URL of an invoice that was paid', { status: 'paid' }, {}, newUrl],
    ['has a new URL after an attempt to charge', { next_payment_attempt: null }, {}, newUrl],
    ['has the URL of another invoice', { id: 'in_2' }, {}, newUrl],
    ['has a URL that it lacked', {}, { hosted_invoice_url: null }, newUrl],
  ])('%s', (_what, change, before, url) => {
    const summary = documentOf(pastDue).latest_invoice;
    if (summary === null) throw new Error('There is no summary.');
    const invoiceBefore = { ...summary, hosted_invoice_url: storedUrl, ...before };
    const current = { ...pastDue, latest_invoice: { ...invoice, ...change } };
    expect(documentOf(current, { ...terms, invoiceBefore }).latest_invoice?.hosted_invoice_url).toBe(url);
  });
});
