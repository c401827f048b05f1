import { beforeAll, describe, expect, test } from 'vitest';
import type { ManagedSubscriptionView } from '../../functions/src/billing/subscriptions/manage/subscription.view.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, checkout, claimsOf, pay, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { AppClock } from '../support/clock.ts';
import { meterFirestore } from '../support/cost.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { call, errorOf } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';
import { addMember, castOf, createTeam } from '../support/teams.ts';

/** A Firestore of its own, because these tests move its clock. */
const resources = useResources();
let app: AppUnderTest;
const clock = new AppClock();
beforeAll(async () => {
  resources.use(await meterFirestore());
  app = resources.use(await serveApp({ backend: { now: clock.now } }));
});

const pass = (days: number) => clock.passDays(app, days);

const ask = (person: Person, method: string, path: string, json?: unknown) =>
  call(method, `${app.url}/api/auth/${path}`, { headers: person.bearer, json });

async function answerOf<Answer>(response: Promise<Response>): Promise<Answer> {
  const { status } = await response;
  const body = (await (await response).json()) as Answer;
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const subscription = (person: Person, action: string, json: object = {}) =>
  answerOf<ManagedSubscriptionView>(ask(person, 'POST', `subscription/${action}`, json));

const sessionPlan = async (person: Person) =>
  (await answerOf<{ plan: string }>(ask(person, 'GET', 'session'))).plan;

/** A person with a plan. */
async function subscriber(slug = 'pro'): Promise<Person> {
  const person = await signUp();
  await buy(app, person, slug);
  return person;
}

/** From now on the card of a customer is declined. */
async function declineCard(customerId: string): Promise<void> {
  const { customer } = await subscriptionOf(app, customerId);
  const stripe = stripeOf(app);
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: customer as string,
  });
  await stripe.subscriptions.update((await subscriptionOf(app, customerId)).id, {
    default_payment_method: card.id,
  });
}

describe('a change of plan now', () => {
  test('costs as much as in its preview, and gives the plan immediately', async () => {
    const ada = await subscriber();
    const change = { plan: 'business', interval: 'month', when: 'now' };
    const preview = await answerOf<{ amountDue: number; prorationDate: number; lines: { amount: number }[] }>(
      ask(ada, 'POST', 'subscription/preview', change),
    );
    expect(preview).toMatchObject({ currency: 'usd' });
    expect(preview.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(preview.amountDue);
    expect(await sessionPlan(ada)).toBe('pro');

    const { prorationDate } = preview;
    const changed = await subscription(ada, 'change', { ...change, prorationDate });
    expect(changed).toMatchObject({ plan: 'business', interval: 'month', status: 'active', payment: null });
    expect(await sessionPlan(ada)).toBe('business');
    expect(await claimsOf(ada)).toMatchObject({ plan: 'business' });

    const { invoices } = await answerOf<{ invoices: { total: number; status: string }[] }>(
      ask(ada, 'GET', 'invoices'),
    );
    expect(invoices.map(({ total, status }) => [total, status])).toEqual([
      [preview.amountDue, 'paid'],
      [1200, 'paid'],
    ]);
  });

  test('to another interval starts a new period, and costs what the preview shows', async () => {
    const ada = await subscriber();
    await pass(10);
    const yearly = { plan: 'pro', interval: 'year', when: 'now' };
    const preview = await answerOf<{ amountDue: number; prorationDate: number }>(
      ask(ada, 'POST', 'subscription/preview', yearly),
    );
    await subscription(ada, 'change', { ...yearly, prorationDate: preview.prorationDate });
    const { items, billing_cycle_anchor: anchor } = await subscriptionOf(app, ada.uid);
    expect(items.data.map(({ price }) => price.lookup_key)).toEqual(['hearth_pro_yearly']);
    expect(items.data[0]?.current_period_start).toBe(anchor);
    expect(items.data[0]?.current_period_end).toBeGreaterThan(anchor + 364 * 86_400);
    const { invoices } = await answerOf<{ invoices: { total: number }[] }>(ask(ada, 'GET', 'invoices'));
    expect(invoices[0]?.total).toBe(preview.amountDue);
  });

  test('to the current plan changes nothing', async () => {
    const ada = await subscriber();
    await subscription(ada, 'change', { plan: 'pro' });
    const { invoices } = await answerOf<{ invoices: unknown[] }>(ask(ada, 'GET', 'invoices'));
    expect(invoices).toHaveLength(1);
  });

  test('keeps the plan until the invoice is paid if the payment is declined', async () => {
    const ada = await subscriber();
    await declineCard(ada.uid);
    const changed = await subscription(ada, 'change', { plan: 'business' });
    expect(changed).toMatchObject({ plan: 'pro', status: 'active', payment: { currency: 'usd' } });
    await settled(app);
    expect(await sessionPlan(ada)).toBe('pro');

    expect((await pay(app, new URL(changed.payment?.url ?? ''))).status).toBeLessThan(400);
    expect(await sessionPlan(ada)).toBe('business');
  });

  test('counts the members of a team if the new plan is paid per seat', async () => {
    const ada = await signUp();
    const teamId = await createTeam(app.url, ada);
    await addMember(teamId, await signUp(), 'member');
    await buy(app, ada, `pro?team=${teamId}`);
    expect(await subscription(ada, 'change', { team: teamId, plan: 'business' })).toMatchObject({
      plan: 'business',
      quantity: 2,
    });
  });

  test.each([
    ['an unknown plan', { plan: 'gold' }, 404, 'plan_not_found'],
    ['the free plan', { plan: 'free' }, 400, 'plan_is_free'],
    ['an unknown interval', { plan: 'pro', interval: 'week' }, 400, 'invalid_request'],
    ['an unknown field', { plan: 'pro', price: 1 }, 400, 'invalid_request'],
  ])('to %s is refused', async (_what, body, status, code) => {
    const ada = await subscriber();
    for (const action of ['preview', 'change']) {
      const response = await ask(ada, 'POST', `subscription/${action}`, body);
      expect(response.status).toBe(status);
      expect(await errorOf(response)).toMatchObject({ code });
    }
  });
});

describe('a change of plan at the end of the period', () => {
  const later = { plan: 'business', when: 'period_end' };

  test('is shown until then, costs nothing before, and takes effect then', async () => {
    const ada = await subscriber();
    const preview = await answerOf<{ amountDue: number; dueAt: string; prorationDate: null }>(
      ask(ada, 'POST', 'subscription/preview', later),
    );
    const planned = await subscription(ada, 'change', later);
    const { currentPeriodEnd } = planned;
    expect(preview).toMatchObject({ amountDue: 4900, dueAt: currentPeriodEnd, prorationDate: null });
    expect(planned).toMatchObject({
      plan: 'pro',
      plannedChange: { plan: 'business', interval: 'month', at: currentPeriodEnd },
    });
    expect(await answerOf(ask(ada, 'GET', 'subscription'))).toEqual(planned);
    expect(await sessionPlan(ada)).toBe('pro');

    await pass(32);
    expect(await sessionPlan(ada)).toBe('business');
    expect(await answerOf(ask(ada, 'GET', 'subscription'))).toMatchObject({
      plan: 'business',
      plannedChange: null,
    });
    const { invoices } = await answerOf<{ invoices: { total: number }[] }>(ask(ada, 'GET', 'invoices'));
    expect(invoices.map(({ total }) => total)).toEqual([4900, 1200]);
  });

  test('to another interval is billed when it takes effect, as the preview shows', async () => {
    const ada = await subscriber();
    const yearly = { plan: 'pro', interval: 'year', when: 'period_end' };
    const preview = await answerOf<{ amountDue: number; dueAt: string }>(
      ask(ada, 'POST', 'subscription/preview', yearly),
    );
    const { currentPeriodEnd: begin } = await subscription(ada, 'change', yearly);
    expect(preview.dueAt).toBe(begin);
    await pass(32);
    const { interval, currentPeriodEnd } = await answerOf<ManagedSubscriptionView>(
      ask(ada, 'GET', 'subscription'),
    );
    expect(interval).toBe('year');
    expect(Date.parse(currentPeriodEnd ?? '')).toBeGreaterThan(Date.parse(begin ?? '') + 364 * 86_400_000);
    const { invoices } = await answerOf<{ invoices: { total: number; status: string }[] }>(
      ask(ada, 'GET', 'invoices'),
    );
    expect(invoices.map(({ total, status }) => [total, status])).toEqual([
      [preview.amountDue, 'paid'],
      [1200, 'paid'],
    ]);
  });

  test('replaces an earlier one', async () => {
    const ada = await subscriber();
    await subscription(ada, 'change', later);
    expect(await subscription(ada, 'change', { ...later, plan: 'pro', interval: 'year' })).toMatchObject({
      plannedChange: { plan: 'pro', interval: 'year' },
    });
  });

  test.each<[what: string, action: string, body: object]>([
    ['resuming', 'resume', {}],
    ['a cancellation', 'cancel', {}],
    ['a change now', 'change', { plan: 'pro', interval: 'year' }],
    ['a change to the current plan', 'change', { plan: 'pro', when: 'period_end' }],
  ])('is discarded by %s', async (_what, action, body) => {
    const ada = await subscriber();
    await subscription(ada, 'change', later);
    expect(await subscription(ada, action, body)).toMatchObject({ plannedChange: null });
    await pass(32);
    expect(await sessionPlan(ada)).not.toBe('business');
  });

  test('keeps its coupon', async () => {
    const ada = await subscriber();
    const stripe = stripeOf(app);
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'forever' });
    await stripe.subscriptions.update((await subscriptionOf(app, ada.uid)).id, {
      discounts: [{ coupon: coupon.id }],
    });
    await subscription(ada, 'change', later);
    await pass(32);
    const { invoices } = await answerOf<{ invoices: { total: number }[] }>(ask(ada, 'GET', 'invoices'));
    expect(invoices[0]?.total).toBe(2450);
  });

  test('that several concurrent requests plan is planned once', async () => {
    const ada = await subscriber();
    const answers = await Promise.all([1, 2, 3].map(() => ask(ada, 'POST', 'subscription/change', later)));
    for (const { status } of answers) expect(status).toBe(200);
    expect(await answerOf(ask(ada, 'GET', 'subscription'))).toMatchObject({
      plannedChange: { plan: 'business' },
    });
  });
});

describe('a cancellation', () => {
  // A client may cut a comment within an emoji.
  test('ends the subscription with the period, with its reason, and can be taken back', async () => {
    const ada = await subscriber();
    const cancelled = await subscription(ada, 'cancel', {
      reason: 'too_expensive',
      comment: 'Until spring \ud83c',
    });
    expect(cancelled.endsAt).toBe(cancelled.currentPeriodEnd);
    expect((await subscriptionOf(app, ada.uid)).cancellation_details).toMatchObject({
      feedback: 'too_expensive',
      comment: 'Until spring \ufffd',
    });
    expect(await sessionPlan(ada)).toBe('pro');
    const refused = await ask(ada, 'POST', 'subscription/change', { plan: 'business' });
    expect([refused.status, await errorOf(refused)]).toMatchObject([409, { code: 'subscription_ending' }]);

    expect(await subscription(ada, 'resume')).toMatchObject({ endsAt: null, status: 'active' });
    expect((await subscriptionOf(app, ada.uid)).cancel_at_period_end).toBe(false);
  });

  test("in Stripe's portal counts as one, and can be taken back", async () => {
    const ada = await subscriber();
    const { url } = await answerOf<{ url: string }>(ask(ada, 'POST', 'portal', {}));
    const { id } = await subscriptionOf(app, ada.uid);
    expect((await fetch(`${url}/subscriptions/${id}/cancel`, { method: 'POST' })).ok).toBe(true);
    await settled(app);

    const ending = await answerOf<ManagedSubscriptionView>(ask(ada, 'GET', 'subscription'));
    expect(ending.endsAt).toBe(ending.currentPeriodEnd);
    const copy = adminFirestore().doc(`customers/${ada.uid}/subscriptions/${id}`);
    const stored = (await copy.get()).data() ?? {};
    expect(stored).toMatchObject({
      cancel_at_period_end: false,
      cancel_at: stored['current_period_end'] as unknown,
    });
    const refused = await ask(ada, 'POST', 'subscription/change', { plan: 'business' });
    expect([refused.status, await errorOf(refused)]).toMatchObject([409, { code: 'subscription_ending' }]);

    expect(await subscription(ada, 'resume')).toMatchObject({ endsAt: null, status: 'active' });
    expect((await copy.get()).data()).toMatchObject({ cancel_at_period_end: false, cancel_at: null });
  });

  test('may be sent twice', async () => {
    const ada = await subscriber();
    const [first, second] = [await subscription(ada, 'cancel'), await subscription(ada, 'cancel')];
    expect(second).toEqual(first);
  });

  test.each(['cancel', 'resume', 'change', 'preview'])(
    'without a subscription %s answers subscription_not_found',
    async (action) => {
      const ada = await signUp();
      const body = action === 'cancel' || action === 'resume' ? {} : { plan: 'pro' };
      const never = await ask(ada, 'POST', `subscription/${action}`, body);
      expect([never.status, await errorOf(never)]).toMatchObject([404, { code: 'subscription_not_found' }]);
      await checkout(app, ada, 'pro');
      const unpaid = await ask(ada, 'POST', `subscription/${action}`, body);
      expect(unpaid.status).toBe(404);
    },
  );
});

test('the portal opens with the form for another card', async () => {
  const ada = await subscriber();
  const { url } = await answerOf<{ url: string }>(ask(ada, 'POST', 'portal', { flow: 'payment_method' }));
  expect(await (await fetch(url)).text()).toContain('Card number');
});

describe('the subscription of a team', () => {
  test.each<[who: 'owner' | 'admin' | 'member' | 'outsider', status: number]>([
    ['owner', 200],
    ['admin', 200],
    ['member', 403],
    ['outsider', 404],
  ])('answers its %s with %s', async (who, status) => {
    const cast = await castOf(app.url);
    const { teamId } = cast;
    await buy(app, cast.owner, `pro?team=${teamId}`);
    const requests: [method: string, path: string, json?: object][] = [
      ['GET', `subscription?team=${teamId}`],
      ['GET', `invoices?team=${teamId}`],
      ['POST', 'subscription/preview', { team: teamId, plan: 'business' }],
      ['POST', 'subscription/change', { team: teamId, plan: 'pro', interval: 'year' }],
      ['POST', 'subscription/cancel', { team: teamId }],
      ['POST', 'subscription/resume', { team: teamId }],
    ];
    for (const [method, path, json] of requests) {
      expect((await ask(cast[who], method, path, json)).status, path).toBe(status);
    }
  });

  test('has an entry in the audit log for each change', async () => {
    const ada = await signUp();
    const teamId = await createTeam(app.url, ada);
    await buy(app, ada, `pro?team=${teamId}`);
    await subscription(ada, 'change', { team: teamId, plan: 'business', interval: 'year' });
    await subscription(ada, 'cancel', { team: teamId, reason: 'unused' });
    await subscription(ada, 'resume', { team: teamId });
    const { entries } = await answerOf<{
      entries: { action: string; actorId: string; details: object }[];
    }>(ask(ada, 'GET', `teams/${teamId}/audit`));
    const own = entries.filter(({ action }) => action.endsWith('_requested'));
    expect(own.map(({ action, details }) => [action, details])).toEqual([
      ['billing.resume_requested', {}],
      ['billing.cancel_requested', { reason: 'unused' }],
      ['billing.change_requested', { plan: 'business', interval: 'year', when: 'now' }],
    ]);
    expect(own.every(({ actorId }) => actorId === ada.uid)).toBe(true);
  });
});

describe('the list of invoices', () => {
  test('has pages, with a link to each invoice and its PDF', async () => {
    const ada = await subscriber();
    const stripe = stripeOf(app);
    const { id, items } = await subscriptionOf(app, ada.uid);
    const item = items.data[0]?.id ?? '';
    for (let quantity = 2; quantity <= 22; quantity++) {
      await stripe.subscriptions.update(id, {
        items: [{ id: item, quantity }],
        proration_behavior: 'always_invoice',
      });
    }
    interface Page {
      invoices: { id: string; number: string; pageUrl: string; pdfUrl: string }[];
      nextCursor: string | null;
    }
    const first = await answerOf<Page>(ask(ada, 'GET', 'invoices'));
    expect(first.invoices).toHaveLength(20);
    const second = await answerOf<Page>(ask(ada, 'GET', `invoices?cursor=${first.nextCursor ?? ''}`));
    expect(second).toMatchObject({ nextCursor: null });
    expect(second.invoices).toHaveLength(2);
    expect(new Set([...first.invoices, ...second.invoices].map(({ number }) => number)).size).toBe(22);
    expect((await fetch(second.invoices[0]?.pageUrl ?? '')).status).toBe(200);
    expect((await fetch(second.invoices[0]?.pdfUrl ?? '')).headers.get('content-type')).toBe(
      'application/pdf',
    );
  });

  test('is empty for somebody who never bought anything', async () => {
    expect(await answerOf(ask(await signUp(), 'GET', 'invoices'))).toEqual({
      invoices: [],
      nextCursor: null,
    });
  });

  test.each(['in_unknown', 'x', ''])('refuses the cursor %j', async (cursor) => {
    const ada = await subscriber();
    const response = await ask(ada, 'GET', `invoices?cursor=${cursor}`);
    expect([response.status, await errorOf(response)]).toMatchObject([400, { code: 'invalid_request' }]);
  });
});
