import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ManagedSubscriptionView } from '../../functions/src/billing/subscriptions/manage/subscription.view.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { useBrowser } from './support/browser.ts';
import { showSamplePlans } from './support/plans.ts';
import { heading, isGone, openInside, press, shows } from './support/steps.ts';

const visit = useBrowser();

const LATER = new Date('2999-01-15T12:00:00Z');

/** The copy of a subscription to Pro by the month. */
const ACTIVE = {
  status: 'active',
  role: 'pro',
  cancel_at_period_end: false,
  created: new Date('2026-01-15T12:00:00Z'),
  current_period_end: LATER,
};

/** A comped plan, as `grantDocument` makes it. */
const COMPED = { ...ACTIVE, status: 'comped', grace_until: LATER };

/** Stores copies of subscriptions, by their ids. */
async function store({ uid }: Person, copies: Readonly<Record<string, object>>): Promise<void> {
  const subscriptions = adminFirestore().collection(`customers/${uid}/subscriptions`);
  await Promise.all(Object.entries(copies).map(([id, copy]) => subscriptions.doc(id).set(copy)));
}

/** The subscription that Stripe has, for the copy with the same id. */
async function answerSubscription(page: Page, rest: Partial<ManagedSubscriptionView>): Promise<void> {
  const subscription: ManagedSubscriptionView = {
    id: 'sub_1',
    status: 'active',
    plan: 'pro',
    interval: 'month',
    quantity: 1,
    seats: null,
    addOns: {},
    currentPeriodEnd: LATER.toISOString(),
    endsAt: null,
    plannedChange: null,
    payment: null,
    ...rest,
  };
  await page.route('**/api/auth/subscription', (route) => route.fulfill({ json: subscription }));
}

const tileOf = (page: Page, plan: string) =>
  page.locator('.plan', { has: page.getByRole('heading', { name: plan, exact: true }) });

const card = (page: Page) => page.getByRole('region', { name: 'Your plan' });

/** Opens the page for billing of a new user with these copies. The sample plans are on sale. */
async function visitWith(
  copies: Readonly<Record<string, object>>,
  managed?: Partial<ManagedSubscriptionView>,
) {
  const person = await signUp();
  await store(person, copies);
  const visitor = await visit(person);
  const { page } = visitor;
  await showSamplePlans(page);
  if (managed !== undefined) await answerSubscription(page, managed);
  await page.goto('/billing');
  return { visitor, page };
}

test.each([
  ['paused', { status: 'paused' }, 'Paused.'],
  ['unpaid', { status: 'unpaid' }, 'The last payment failed.'],
])('a customer whose subscription is %s buys the plan again', async (status, change, state) => {
  const { visitor, page } = await visitWith({ sub_1: { ...ACTIVE, ...change } }, { status });
  await tileOf(page, 'Pro').getByRole('link', { name: 'Subscribe to Pro' }).waitFor();
  await tileOf(page, 'Free').getByText('Your plan').waitFor();
  expect(await tileOf(page, 'Pro').getByText('Your plan').count()).toBe(0);
  await card(page).getByText(state).waitFor();
  await shows(page, 'The subscription to Pro gives no plan. It ends when you subscribe again.');
  await visitor.inspect(`billing-${status}`);

  await press(page, 'Cancel the subscription');
  const dialog = page.getByRole('dialog', { name: 'Cancel the subscription' });
  await dialog.getByText('It ends immediately.').waitFor();
  expect(await dialog.getByText('Until then').count()).toBe(0);
});

test('a subscription that ends after its grace is bought again, and one that does not end is paid', async () => {
  const pastDue = { ...ACTIVE, status: 'past_due', grace_until: null };
  const ending = await visitWith(
    { sub_1: { ...pastDue, cancel_at_period_end: true } },
    { status: 'past_due' },
  );
  await ending.page.getByRole('link', { name: 'Subscribe to Pro' }).waitFor();

  const payment = { url: 'https://example.com/invoice', amountDue: 1_200, currency: 'usd' };
  const open = await visitWith({ sub_1: pastDue }, { status: 'past_due', payment });
  await card(open.page).getByRole('link', { name: 'Pay the invoice' }).waitFor();
  await shows(open.page, 'The subscription to Pro gives no plan at the moment.');
  await tileOf(open.page, 'Free').getByText('Your plan').waitFor();
  expect(await tileOf(open.page, 'Pro').getByRole('link').count()).toBe(0);
});

test('a comped plan is shown with its end, and is not sold until then', async () => {
  const { visitor, page } = await visitWith({ comped: COMPED });
  await shows(page, 'Pro is free of charge until Jan 15, 2999.');
  await tileOf(page, 'Pro').getByText('Your plan').waitFor();
  await tileOf(page, 'Business').getByRole('link', { name: 'Subscribe to Business' }).waitFor();
  expect(await page.getByRole('link', { name: 'Subscribe to Pro' }).count()).toBe(0);
  expect(await page.getByText('You have no subscription.').count()).toBe(0);
  // Stripe's pages have nothing to show to a person who has never paid.
  expect(await page.getByRole('link', { name: 'Manage billing' }).count()).toBe(0);
  await visitor.inspect('billing-comped');
});

test('a plan from an app store covers the lower plans, until it ends', async () => {
  const person = await signUp();
  const bought = { ...COMPED, role: 'business', metadata: { store: 'APP_STORE' } };
  await store(person, { app_store_1: bought });
  const visitor = await visit(person);
  const { page } = visitor;
  await showSamplePlans(page);
  await page.goto('/billing');
  await shows(page, 'Business was bought in an app store.');
  await tileOf(page, 'Business').getByText('Your plan').waitFor();
  expect(await page.getByRole('link', { name: /^Subscribe/ }).count()).toBe(0);
  await visitor.inspect('billing-app-store');
  await store(person, { app_store_1: { ...bought, grace_until: null } });
  await tileOf(page, 'Pro').getByRole('link', { name: 'Subscribe to Pro' }).waitFor();
  await shows(page, 'You have no subscription.');
});

test('a customer with a subscription to something else buys a plan', async () => {
  const { page } = await visitWith({ sub_0: { ...ACTIVE, role: null } });
  await tileOf(page, 'Pro').getByRole('link', { name: 'Subscribe to Pro' }).waitFor();
  expect(await page.getByRole('button', { name: /^Change to/ }).count()).toBe(0);
  await shows(page, 'You have no subscription.');
  await page.getByRole('link', { name: 'Manage billing' }).waitFor();
});

test('the page shows the subscription to the highest plan', async () => {
  const other = { ...ACTIVE, role: null };
  const { page } = await visitWith({ sub_0: other, sub_1: ACTIVE, sub_2: other }, {});
  await tileOf(page, 'Pro').getByText('Your plan').waitFor();
  await page.getByRole('button', { name: 'Change to Business' }).waitFor();
});

test('a subscriber who pays by the year sees the prices of a year first, and changes to the month', async () => {
  const { visitor, page } = await visitWith({ sub_1: ACTIVE }, { interval: 'year' });
  await page.getByRole('radio', { name: /^Yearly/, checked: true }).waitFor();
  await tileOf(page, 'Pro').getByText('$120 a year').waitFor();
  expect(await tileOf(page, 'Pro').getByRole('button').count()).toBe(0);
  await page.getByText('Monthly').click();
  const button = tileOf(page, 'Pro').getByRole('button', { name: 'Pay for Pro by the month' });
  await button.waitFor();
  await visitor.inspect('billing-interval');
  await page.getByText(/^Yearly/).click();
  await isGone(button);
});

test('the page of a finished checkout does not thank for a subscription that gives no plan', async () => {
  const person = await signUp();
  await store(person, { sub_1: { ...ACTIVE, status: 'paused' }, comped: COMPED });
  const { page } = await visit(person);
  await showSamplePlans(page);
  await answerSubscription(page, { status: 'paused' });
  await page.goto('/billing');
  // Then the next page has the subscriptions already.
  await shows(page, 'Paused.');
  await openInside(page, '/billing/success');
  await heading(page, 'Waiting for the payment');
  await store(person, { sub_2: ACTIVE });
  await shows(page, 'The subscription is active.');
});

test.each([
  [{ plan: 'business', interval: 'month' }, 'The plan changes to Business on', 1],
  [{ plan: 'pro', interval: 'year' }, 'You pay by the year from', 1],
  [{ plan: 'pro', interval: 'month' }, 'Support has planned a change of this subscription for', 0],
  [{ plan: null, interval: 'month' }, 'Support has planned a change of this subscription for', 0],
] as const)(
  'a customer can take back a planned change only if it is their own: %o',
  async (change, text, buttons) => {
    const { page } = await visitWith(
      { sub_1: ACTIVE },
      { plannedChange: { ...change, at: LATER.toISOString() } },
    );
    await card(page).getByText(text).waitFor();
    expect(await card(page).getByRole('button', { name: 'Resume the subscription' }).count()).toBe(buttons);
  },
);
