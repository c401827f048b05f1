import { expect, inject, test } from 'vitest';
import { adminFirestore, signUp } from '../support/people.ts';
import { createTeam } from '../support/teams.ts';
import { useBrowser } from './support/browser.ts';
import { showSamplePlans } from './support/plans.ts';
import { heading, shows } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

test('a plan that is not on sale is shown to its customers only, and not as free', async () => {
  const person = await signUp();
  const visitor = await visit(person);
  const { page } = visitor;
  const archived = { month: null, year: null, once: null };
  await showSamplePlans(page, (plan) => (plan.slug === 'pro' ? { ...plan, prices: archived } : plan));
  for (const path of ['/', '/billing']) {
    await page.goto(path);
    await heading(page, 'Business');
    expect(await page.getByRole('heading', { name: 'Pro', exact: true }).count()).toBe(0);
  }
  const customer = adminFirestore().doc(`customers/${person.uid}`);
  await customer.collection('purchases').add({ item: 'pro', status: 'paid', credits: null });
  const tile = page.locator('.plan', { has: page.getByRole('heading', { name: 'Pro', exact: true }) });
  await tile.getByText('Not on sale').waitFor();
  expect(await tile.getByText('Free', { exact: true }).count()).toBe(0);
});

test('only the plans for the chosen subject are shown', async () => {
  const owner = await signUp();
  await createTeam(urls.app, owner, 'Cinders');
  const { page } = await visit(owner);
  const types: Record<string, string[]> = { pro: ['user'], business: ['team'] };
  await showSamplePlans(page, (plan) => ({ ...plan, for: types[plan.slug] ?? plan.for }));
  await page.goto('/billing');
  await heading(page, 'Business');
  expect(await page.getByRole('heading', { name: 'Pro', exact: true }).count()).toBe(0);
  await page.getByLabel('Team', { exact: true }).selectOption({ label: 'Yourself' });
  await heading(page, 'Pro');
  expect(await page.getByRole('heading', { name: 'Business' }).count()).toBe(0);
});

test('the plans are compared by their limits and by everything that they include, and the own plan is marked', async () => {
  const owner = await signUp();
  await createTeam(urls.app, owner, 'Cinders');
  const visitor = await visit(owner);
  const { page } = visitor;
  await showSamplePlans(page, (plan) => ({
    ...plan,
    limits: { ...plan.limits, projects: plan.prices === null ? 3 : 2_000 },
    entitlements: plan.slug === 'business' ? ['priority-support'] : [],
  }));
  await page.goto('/billing');
  const table = page.getByRole('table', { name: 'Compare the plans' });
  await table.getByRole('columnheader', { name: 'Free Your plan' }).waitFor();
  const cellsOf = (name: string) =>
    table
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name }) })
      .getByRole('cell')
      .allTextContents();
  expect(await cellsOf('Price')).toEqual(['Free', '$12 a month', '$49 a member and month']);
  expect(await cellsOf('Seats in a team')).toEqual(['3', '10', '100']);
  expect(await cellsOf('Storage')).toEqual(['100 MB', '10 GB', '100 GB']);
  expect(await cellsOf('Projects')).toEqual(['3', '2,000', '2,000']);
  expect(await cellsOf('Priority support')).toEqual(['Not included', 'Not included', 'Included']);
  await visitor.inspect('billing-comparison');
  await page.getByLabel('Team', { exact: true }).selectOption({ label: 'Yourself' });
  await shows(page, 'You have no subscription.');
  expect(await table.getByRole('rowheader', { name: 'Seats in a team' }).count()).toBe(0);
  expect(await cellsOf('Price')).toEqual(['Free', '$12 a month', '$49 a month']);
});
