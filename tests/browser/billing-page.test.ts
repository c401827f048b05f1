import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import type { PlanView } from '../../functions/src/billing/catalogue/listing/plan.view.ts';
import { adminAuth, adminFirestore, signUp } from '../support/people.ts';
import { subscribablePlans } from '../support/plans.ts';
import { createTeam } from '../support/teams.ts';
import { useBrowser } from './support/browser.ts';
import { showSamplePlans } from './support/plans.ts';
import { eventually, follow, heading, isGone, openInside, press, shows } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

/** The plans of the project that users subscribe to. A project may have none. */
const PAID = subscribablePlans('user');

test('the prices are shown by the month or by the year', async () => {
  const visitor = await visit(await signUp());
  const { page } = visitor;
  await showSamplePlans(page);
  await page.goto('/dashboard');
  await follow(page, 'Billing');
  await shows(page, 'You have no subscription.');
  // Stripe's pages have nothing to show to a person who has never paid.
  expect(await page.getByRole('link', { name: 'Manage billing' }).count()).toBe(0);
  await shows(page, '$12 a month');
  await page.getByText(/^Yearly save up to \d+ %/).click();
  expect(await page.getByRole('radio', { name: /^Yearly/ }).isChecked()).toBe(true);
  await shows(page, '$120 a year');
  await visitor.inspect('billing');
  await page.getByText('Monthly').click();
  await shows(page, '$12 a month');
});

test.each(PAID.slice(0, 1))(
  'a person subscribes to $name on the hosted page, and manages it in the portal',
  async ({ name }) => {
    const visitor = await visit(await signUp());
    const { page } = visitor;
    await page.goto('/billing');
    await follow(page, `Subscribe to ${name}`);
    await press(page, /^Pay|^Start trial/);
    await heading(page, 'Thank you');
    await shows(page, 'The subscription is active.');
    await visitor.inspect('billing-success');
    await follow(page, 'Billing');
    await shows(page, /Active: it renews on|In its trial until/);
    await visitor.inspect('billing-subscribed');
    await follow(page, 'Manage billing');
    await page.waitForURL(/\/p\/session\//);
    await shows(page, name);
    await follow(page, 'Return');
    await heading(page, 'Billing');
  },
);

test('a user whose address is not verified reads that a trial needs it, until it is verified', async () => {
  const person = await signUp({ emailVerified: false });
  const visitor = await visit(person);
  const { page } = visitor;
  await showSamplePlans(page);
  await page.goto('/billing');
  const notice = page.getByRole('region', { name: 'E-mail address not verified' });
  await notice.getByText(`Your address ${person.email} is not verified.`).waitFor();
  await notice.getByText('The free trial needs a verified address.').waitFor();
  await visitor.inspect('billing-unverified');
  await notice.getByRole('button', { name: 'Send the message again' }).click();
  await notice.getByText('The message is on its way.').waitFor();

  await adminAuth().updateUser(person.uid, { emailVerified: true });
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await isGone(notice);
  await page.getByRole('link', { name: 'Subscribe to Pro' }).waitFor();
});

test('nothing is said about a trial if no plan has one', async () => {
  const { page } = await visit(await signUp({ emailVerified: false }));
  await showSamplePlans(page, (plan) => ({ ...plan, trialDays: 0 }));
  await page.goto('/billing');
  await page.getByRole('link', { name: 'Subscribe to Pro' }).waitFor();
  expect(await page.getByText('is not verified').count()).toBe(0);
});

test('the page of a finished checkout thanks only users who have paid', async () => {
  const visitor = await visit(await signUp());
  const { page } = visitor;
  await page.goto('/billing');
  // Firestore's client complains if its first answer comes after 10 s of the page's clock, which moves forward below.
  await shows(page, 'You have no subscription.');
  await page.clock.install();
  await openInside(page, '/billing/success');
  await heading(page, 'Waiting for the payment');
  await page.clock.fastForward(30_000);
  await heading(page, 'No payment yet');
  await visitor.inspect('billing-success-without-payment');
});

test('the team that the dashboard shows is preselected, with the limits of each plan for it', async () => {
  const owner = await signUp();
  const [first, second] = [
    await createTeam(urls.app, owner, 'Ash'),
    await createTeam(urls.app, owner, 'Birch'),
  ];
  const visitor = await visit(owner);
  const { page } = visitor;
  await showSamplePlans(page);
  await page.goto('/billing');
  const payer = page.getByLabel('Team', { exact: true });
  await shows(page, 'The team has no subscription.');
  expect(await payer.inputValue()).toBe(first);
  await shows(page, '10 seats');

  await payer.selectOption({ label: 'Yourself' });
  await shows(page, 'A plan for yourself gives your teams no seats.');
  expect(await page.getByText('10 seats').count()).toBe(0);
  await visitor.inspect('billing-yourself');

  const profile = adminFirestore().doc(`users/${owner.uid}`);
  await eventually(async () => (await profile.get()).data()?.['activeTeamId'] as unknown).toBe(owner.uid);
  await profile.update({ activeTeamId: second });
  await shows(page, 'The team has no subscription.');
  await eventually(() => payer.inputValue()).toBe(second);
});

test('plans for a team are bought for the team', async () => {
  const owner = await signUp();
  const teamId = await createTeam(urls.app, owner, 'Embers & Co');
  const { page } = await visit(owner);
  await showSamplePlans(page);
  await page.goto('/billing');
  await page.getByLabel('Team', { exact: true }).selectOption({ label: 'Embers & Co' });
  await shows(page, 'The team has no subscription.');
  const href = await page.getByRole('link', { name: 'Subscribe to Business' }).getAttribute('href');
  expect(href?.endsWith(`/checkout/business?interval=month&team=${teamId}`), href ?? '').toBe(true);
});

test('while the state of a subscription is unknown, the page does not say that there is none', async () => {
  const visitor = await visit(await signUp());
  const { page } = visitor;
  await page.route(/google\.firestore\.v1\.Firestore\/Listen/, () => undefined);
  await page.goto('/billing');
  await shows(page, 'Loading subscription');
  expect(await page.getByText('You have no subscription.').count()).toBe(0);
});

/** Makes a page show the sample plans with other prices, and these packs of credits. */
async function sells(page: Page, plans: Record<string, object>, creditPacks: object[] = []): Promise<void> {
  const withPrices = ({ slug, prices, ...plan }: PlanView) => ({
    ...plan,
    slug,
    prices: prices && { ...prices, ...plans[slug] },
  });
  await showSamplePlans(page, withPrices);
  await page.route('**/api/auth/extras', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), creditPacks } });
  });
}

const price = (unitAmount: number, currencies = {}) => ({ unitAmount, currency: 'usd', currencies });

test('a promotion code in the URL is passed on to the checkout', async () => {
  const { page } = await visit(await signUp());
  await showSamplePlans(page);
  await page.goto('/billing?code=SPRING%2026');
  await shows(page, 'The promotion code SPRING 26 applies');
  const href = await page.getByRole('link', { name: 'Subscribe to Pro' }).getAttribute('href');
  expect(new URL(href ?? '', urls.app).searchParams.get('code')).toBe('SPRING 26');
});

test('the currency is a choice if a plan has several, and is passed on to the checkout', async () => {
  const visitor = await visit(await signUp());
  const { page } = visitor;
  await sells(page, { pro: { month: price(1_200, { eur: 1_100 }) } });
  await page.goto('/billing');
  await shows(page, '$12');
  const link = page.getByRole('link', { name: 'Subscribe to Pro' });
  expect(await link.getAttribute('href')).not.toContain('currency');
  await page.getByLabel('Currency').selectOption('eur');
  await shows(page, '€11');
  await visitor.inspect('billing-currency');
  expect(await link.getAttribute('href')).toContain('currency=eur');
  const other = await page.getByRole('link', { name: 'Subscribe to Business' }).getAttribute('href');
  expect(other).not.toContain('currency');
});

test('without further currencies there is no choice of currency', async () => {
  const { page } = await visit(await signUp());
  await showSamplePlans(page);
  await page.goto('/billing');
  await heading(page, 'Business');
  expect(await page.getByLabel('Currency').count()).toBe(0);
});

test('plans and credits are bought for one payment, and an owned plan is not sold again', async () => {
  const owner = await signUp();
  const visitor = await visit(owner);
  const { page } = visitor;
  const pack = {
    slug: 'hundred',
    name: '100 credits',
    description: 'For pictures',
    for: ['user'],
    credits: 100,
  };
  await sells(page, { pro: { once: price(19_900) } }, [{ ...pack, price: price(900) }]);
  const orders: unknown[] = [];
  await page.route('**/api/auth/purchases', async (route) => {
    orders.push(route.request().postDataJSON());
    await route.fulfill({ json: { url: `${urls.app}/billing/success` } });
  });
  await page.goto('/billing');
  await shows(page, '0 credits');
  await visitor.inspect('billing-once');
  await press(page, 'Buy 100 credits for $9');
  await heading(page, 'Waiting for the payment');
  await visitor.inspect('billing-waiting');
  await page.goto('/billing');
  await press(page, 'Buy Pro once for $199');
  await heading(page, 'Waiting for the payment');
  expect(orders).toEqual([
    { item: 'hundred', quantity: 1 },
    { item: 'pro', quantity: 1 },
  ]);

  const customer = adminFirestore().doc(`customers/${owner.uid}`);
  await customer.collection('purchases').add({ item: 'pro', status: 'paid', credits: null });
  await shows(page, 'The payment has arrived.');
  await adminFirestore().doc(`credits/${owner.uid}`).set({ balance: 70, updatedAt: new Date() });
  await page.goto('/billing');
  await shows(page, 'Pro is paid for without an end.');
  await shows(page, '70 credits');
  await visitor.inspect('billing-owned');
  expect(await page.getByRole('button', { name: /Buy Pro once/ }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Subscribe to Pro' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Subscribe to Business' }).waitFor();
});
