import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chargeChanges, customerWith, PRO_MONTHLY, PRO_YEARLY, submit, testStripe } from '../testing.ts';
import type { TestStripe } from '../testing.ts';

/** The possible requests; a refusal is an answer too. */
type Step =
  | { do: 'pass'; days: number }
  | {
      do: 'items';
      price: string;
      quantity: number;
      behavior: 'always_invoice' | 'create_prorations' | 'none';
    }
  | { do: 'card'; token: string }
  | { do: Plain };

type Plain = 'discount' | 'cancelAtEnd' | 'keep' | 'pause' | 'resume' | 'endTrial' | 'payOpen' | 'portal';

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass' as const), days: fc.integer({ min: 1, max: 40 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('items' as const),
      price: fc.constantFrom(PRO_MONTHLY, PRO_YEARLY),
      quantity: fc.integer({ min: 1, max: 9 }),
      behavior: fc.constantFrom('always_invoice', 'create_prorations', 'none'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('card' as const),
      token: fc.constantFrom('pm_card_visa', 'pm_card_chargeCustomerFail', 'pm_card_authenticationRequired'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom<Plain[]>(
        'discount',
        'cancelAtEnd',
        'keep',
        'pause',
        'resume',
        'endTrial',
        'payOpen',
        'portal',
      ),
    }),
  },
);

const ACTIONS: Readonly<
  Record<Plain, (world: TestStripe, id: string, customer: string) => Promise<unknown>>
> = {
  discount: async ({ stripe }, id) => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 30, duration: 'once' });
    await stripe.subscriptions.update(id, { discounts: [{ coupon }] });
  },
  cancelAtEnd: ({ stripe }, id) => stripe.subscriptions.update(id, { cancel_at_period_end: true }),
  keep: ({ stripe }, id) => stripe.subscriptions.update(id, { cancel_at_period_end: false }),
  pause: ({ stripe }, id) => stripe.subscriptions.pause(id),
  resume: ({ stripe }, id) => stripe.subscriptions.resume(id),
  endTrial: ({ stripe }, id) => stripe.subscriptions.update(id, { trial_end: 'now' }),
  payOpen: async ({ stripe }, _id, customer) => {
    const [open] = (await stripe.invoices.list({ customer, status: 'open' })).data;
    if (open?.hosted_invoice_url) await submit(open.hosted_invoice_url);
  },
  portal: async ({ stripe }, id, customer) => {
    await chargeChanges(stripe);
    const { url } = await stripe.billingPortal.sessions.create({ customer });
    await submit(`${url}/subscriptions/${id}/update`, { price: PRO_MONTHLY, quantity: '4' });
  },
};

async function take(world: TestStripe, id: string, customer: string, now: Step): Promise<void> {
  const { stripe } = world;
  if (now.do === 'pass') {
    await world.pass(now.days);
  } else if (now.do === 'items') {
    const item = (await stripe.subscriptions.retrieve(id)).items.data[0]?.id ?? '';
    const items = [{ id: item, price: now.price, quantity: now.quantity }];
    await stripe.subscriptions.update(id, { items, proration_behavior: now.behavior });
  } else if (now.do === 'card') {
    const { id: method } = await stripe.paymentMethods.attach(now.token, { customer });
    await stripe.subscriptions.update(id, { default_payment_method: method });
  } else {
    await ACTIONS[now.do](world, id, customer);
  }
}

/** The invariants. */
async function holds({ stripe, control }: TestStripe, id: string, customer: string): Promise<void> {
  const subscription = await stripe.subscriptions.retrieve(id);
  const { now } = (await (await control('GET', 'clock')).json()) as { now: number };
  const [item] = subscription.items.data;
  if (['active', 'trialing', 'past_due', 'unpaid'].includes(subscription.status)) {
    expect(item?.current_period_start).toBeLessThanOrEqual(now);
    expect(item?.current_period_end).toBeGreaterThan(now);
  }
  // The latest event has the same object as the answer of the API. Stripe lists the events of 30 days.
  const { data: events } = await stripe.events.list({ type: 'customer.subscription.*', limit: 1 });
  for (const event of events) expect(event.data.object).toEqual(JSON.parse(JSON.stringify(subscription)));
  const { data: invoices } = await stripe.invoices.list({ customer, limit: 100 });
  for (const { lines, subtotal, total, total_discount_amounts: off, ...invoice } of invoices) {
    expect(lines.data.reduce((sum, { amount }) => sum + amount, 0)).toBe(subtotal);
    expect(subtotal - (off ?? []).reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
    expect(invoice.amount_paid + invoice.amount_remaining).toBe(invoice.amount_due);
  }
  // The billed amount was paid or is credit.
  const closed = invoices.filter(({ number }) => number !== null);
  const billed = closed.reduce((sum, { total, amount_due: due }) => sum + total - due, 0);
  const owner = await stripe.customers.retrieve(customer);
  expect('balance' in owner && owner.balance).toBe(billed);
}

test('after any changes of a subscription, its periods, invoices and events agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 3, maxLength: 10 }), async (trial, steps) => {
      const world = await testStripe({ now: () => new Date('2026-01-31T12:00:00Z') });
      const { customer } = await customerWith(world.stripe, 'pm_card_visa');
      const { id } = await world.stripe.subscriptions.create({
        customer,
        items: [{ price: PRO_MONTHLY }],
        ...(trial && { trial_period_days: 10 }),
      });
      for (const now of steps) {
        await take(world, id, customer, now).catch((error: unknown) => {
          if (!(error instanceof Error && 'statusCode' in error && error.statusCode !== 500)) throw error;
        });
      }
      await holds(world, id, customer);
      await world.local.close();
    }),
    { numRuns: 40 },
  );
});
