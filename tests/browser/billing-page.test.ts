import { expect, inject, test } from 'vitest';
import { adminFirestore, signUp } from '../support/people.ts';
import { createTeam } from '../support/teams.ts';
import { useBrowser } from './support/browser.ts';
import { follow, heading, press, shows } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

test('a person subscribes on the hosted page, and manages it in the portal', async () => {
  const visitor = await visit(await signUp());
  const { page } = visitor;
  await page.goto('/dashboard');
  await follow(page, 'Billing');
  await shows(page, 'You have no subscription.');
  await visitor.inspect('billing');
  await follow(page, 'Subscribe to Pro');
  await press(page, /^Pay|^Start trial/);
  await heading(page, 'Thank you');
  await shows(page, 'The subscription is active.');
  await visitor.inspect('billing-success');
  await follow(page, 'Billing');
  await shows(page, /Active: it renews on|In its trial until/);
  await visitor.inspect('billing-subscribed');
  await follow(page, 'Manage billing');
  await page.waitForURL(/\/p\/session\//);
  await shows(page, 'Pro');
  await follow(page, 'Return');
  await heading(page, 'Billing');
});

test('the team that the dashboard shows is preselected, with what each plan gives it', async () => {
  const owner = await signUp();
  const [first, second] = [
    await createTeam(urls.app, owner, 'Ash'),
    await createTeam(urls.app, owner, 'Birch'),
  ];
  const visitor = await visit(owner);
  const { page } = visitor;
  await page.goto('/billing');
  const payer = page.getByLabel('For');
  await shows(page, 'The team has no subscription.');
  expect(await payer.inputValue()).toBe(first);
  await shows(page, '10 seats');

  await payer.selectOption({ label: 'Yourself' });
  await shows(page, 'A plan for yourself gives your teams no seats.');
  expect(await page.getByText('10 seats').count()).toBe(0);
  await visitor.inspect('billing-yourself');

  await adminFirestore().doc(`users/${owner.uid}`).update({ activeTeamId: second });
  await page.reload();
  await shows(page, 'The team has no subscription.');
  expect(await payer.inputValue()).toBe(second);
});

test('only the plans for the chosen subject are shown', async () => {
  const owner = await signUp();
  await createTeam(urls.app, owner, 'Cinders');
  const { page } = await visit(owner);
  await page.route('**/api/auth/plans', async (route) => {
    const response = await route.fetch();
    const { plans } = (await response.json()) as { plans: { slug: string }[] };
    const types: Record<string, string[]> = { pro: ['user'], business: ['team'] };
    const changed = plans.map((plan) => ({ ...plan, ...(types[plan.slug] && { for: types[plan.slug] }) }));
    await route.fulfill({ response, json: { plans: changed } });
  });
  await page.goto('/billing');
  await heading(page, 'Business');
  expect(await page.getByRole('heading', { name: 'Pro', exact: true }).count()).toBe(0);
  await page.getByLabel('For').selectOption({ label: 'Yourself' });
  await heading(page, 'Pro');
  expect(await page.getByRole('heading', { name: 'Business' }).count()).toBe(0);
});

test('plans for a team are bought for the team', async () => {
  const owner = await signUp();
  const teamId = await createTeam(urls.app, owner, 'Embers & Co');
  const { page } = await visit(owner);
  await page.goto('/billing');
  await page.getByLabel('For').selectOption({ label: 'Embers & Co' });
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

test('a subscriber sees what another plan costs, changes to it, cancels and resumes', async () => {
  const visitor = await visit(await signUp());
  const { page } = visitor;
  await page.goto('/billing');
  await follow(page, 'Subscribe to Pro');
  await press(page, /^Pay|^Start trial/);
  await heading(page, 'Thank you');
  await page.goto('/billing');

  await press(page, 'Change to Business');
  const dialog = page.getByRole('dialog', { name: 'Change to Business' });
  await dialog.getByText('To pay').waitFor();
  await visitor.inspect('billing-change');
  await dialog.getByRole('button', { name: 'Change now' }).click();
  await page.getByRole('button', { name: 'Change to Pro' }).waitFor();
  await page.getByRole('region', { name: 'Invoices' }).getByRole('row').nth(2).waitFor();

  await press(page, 'Change the payment method');
  await page.getByLabel('Card number').fill('5555 5555 5555 4444');
  await press(page, 'Save card');
  await heading(page, 'Billing');

  await press(page, 'Cancel the subscription');
  const cancel = page.getByRole('dialog', { name: 'Cancel the subscription' });
  await cancel.getByLabel('Reason').selectOption({ label: 'It is too expensive' });
  await visitor.inspect('billing-cancel');
  await cancel.getByRole('button', { name: 'Cancel the subscription' }).click();
  await shows(page, /Cancelled: it ends on/);
  await press(page, 'Resume the subscription');
  await page.getByRole('button', { name: 'Cancel the subscription' }).waitFor();

  const invoices = page.getByRole('region', { name: 'Invoices' });
  await invoices.getByRole('row').nth(1).getByText('Paid').waitFor();
  await visitor.inspect('billing-managed');
});
