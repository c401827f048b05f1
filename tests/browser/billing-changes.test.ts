import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { REFUSALS } from '../../functions/src/refusals/refusals.ts';
import { signUp } from '../support/people.ts';
import { subscribablePlans } from '../support/plans.ts';
import { useBrowser } from './support/browser.ts';
import { follow, heading, isGone, press, shows } from './support/steps.ts';

const visit = useBrowser();

/** The plans of the project that users subscribe to. A project may have none. */
const PAID = subscribablePlans('user');

test.each(PAID.slice(1, 2))(
  'a subscriber sees what $name costs, changes to it, cancels and resumes',
  async (higher) => {
    const { visitor, page, lower } = await visitAsSubscriber();
    const dialog = await openChange(page, higher.name);
    await dialog.getByText('To pay').waitFor();
    await visitor.inspect('billing-change');
    await makePreviewOld(page);
    const renewed = page.waitForResponse(/subscription\/preview$/);
    await dialog.getByRole('button', { name: 'Change now' }).click();
    await dialog.getByText('The preview of this change has expired.').waitFor();
    await visitor.expectComplaint(/409/);
    await renewed;
    await dialog.getByRole('button', { name: 'Change now' }).click();
    await page.getByRole('button', { name: `Change to ${lower.name}` }).waitFor();
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

    await follow(page, 'Manage billing');
    await press(page, `Cancel ${higher.name}`);
    await shows(page, /, ends on/);
    await follow(page, 'Return');
    await shows(page, /Cancelled: it ends on/);
    expect(await page.getByRole('button', { name: /^Change to/ }).count()).toBe(0);
    await press(page, 'Resume the subscription');
    await shows(page, /Active: it renews on|In its trial until/);
    await page.getByRole('button', { name: 'Cancel the subscription' }).waitFor();
    await isGone(page.getByRole('button', { name: 'Resume the subscription' }));

    const invoices = page.getByRole('region', { name: 'Invoices' });
    await invoices.getByRole('row').nth(1).getByText('Paid').waitFor();
    await visitor.inspect('billing-managed');
  },
);

test.each(PAID.slice(1, 2))(
  'a subscriber whose change to $name cannot be planned chooses to change now',
  async (higher) => {
    const { visitor, page, lower } = await visitAsSubscriber();
    await refusePlannedChanges(page);
    const dialog = await openChange(page, higher.name);
    await dialog.getByLabel('When').selectOption('period_end');
    await dialog.getByText('This change cannot be planned').waitFor();
    await visitor.expectComplaint(/409/);
    await visitor.inspect('billing-change-not-plannable');
    expect(await dialog.getByRole('button', { name: 'Change later' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Choose now instead' }).click();
    expect(await dialog.getByLabel('When').inputValue()).toBe('now');
    await dialog.getByText('To pay').waitFor();
    await isGone(dialog.getByRole('button', { name: 'Choose now instead' }));
    await dialog.getByRole('button', { name: 'Change now' }).click();
    await page.getByRole('button', { name: `Change to ${lower.name}` }).waitFor();
  },
);

test.each(PAID.slice(1, 2))(
  'a subscriber plans a change to $name and takes it back, without loading the page again',
  async (higher) => {
    const { visitor, page } = await visitAsSubscriber();
    const dialog = await openChange(page, higher.name);
    await dialog.getByLabel('When').selectOption('period_end');
    await dialog.getByRole('button', { name: 'Change later' }).click();
    const notice = page.getByText(`The plan changes to ${higher.name} on`);
    await notice.waitFor();
    await visitor.inspect('billing-planned');
    await press(page, 'Resume the subscription');
    await isGone(notice);
    await isGone(page.getByRole('button', { name: 'Resume the subscription' }));
  },
);

test.each(PAID.slice(1, 2))(
  'a subscriber whose card fails for the change to $name sees the invoice to pay',
  async (higher) => {
    const { visitor, page } = await visitAsSubscriber();
    await press(page, 'Change the payment method');
    await page.getByLabel('Card number').fill('4000 0000 0000 0341');
    await press(page, 'Save card');
    await heading(page, 'Billing');
    const dialog = await openChange(page, higher.name);
    await dialog.getByRole('button', { name: 'Change now' }).click();
    await dialog.getByText('The plan changes when the invoice is paid.').waitFor();
    await visitor.inspect('billing-change-unpaid');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await shows(page, 'There is an invoice to pay.');
    const invoices = page.getByRole('region', { name: 'Invoices' });
    await invoices.getByRole('link', { name: /^Pay/ }).waitFor();
  },
);

test.each(PAID.filter(({ prices }) => prices.month && prices.year).slice(0, 1))(
  'a subscriber to $name changes from the month to the year, and back at the end of the year',
  async ({ name }) => {
    const visitor = await visit(await signUp());
    const { page } = visitor;
    await subscribe(page, name);
    const toYear = page.getByRole('button', { name: `Pay for ${name} by the year` });
    expect(await toYear.count()).toBe(0);
    await page.getByText(/^Yearly/).click();
    await toYear.click();
    const dialog = page.getByRole('dialog', { name: `Pay for ${name} by the year` });
    await dialog.getByText('To pay').waitFor();
    await visitor.inspect('billing-change-interval');
    await dialog.getByRole('button', { name: 'Change now' }).click();
    await isGone(toYear);

    await page.reload();
    await page.getByRole('radio', { name: /^Yearly/, checked: true }).waitFor();
    await page.getByText('Monthly').click();
    await press(page, `Pay for ${name} by the month`);
    const back = page.getByRole('dialog', { name: `Pay for ${name} by the month` });
    await back.getByLabel('When').selectOption('period_end');
    await back.getByRole('button', { name: 'Change later' }).click();
    await shows(page, /You pay by the month from/);
  },
);

/** A visitor who has subscribed to the lowest plan, on the page for billing. */
async function visitAsSubscriber() {
  const [lower] = PAID;
  if (lower === undefined) throw new Error('This project has no plan to subscribe to.');
  const visitor = await visit(await signUp());
  await subscribe(visitor.page, lower.name);
  return { visitor, page: visitor.page, lower };
}

/** Opens the dialog of a change of plan. */
async function openChange(page: Page, plan: string) {
  await press(page, `Change to ${plan}`);
  return page.getByRole('dialog', { name: `Change to ${plan}` });
}

async function subscribe(page: Page, plan: string): Promise<void> {
  await page.goto('/billing');
  await follow(page, `Subscribe to ${plan}`);
  await press(page, /^Pay|^Start trial/);
  await heading(page, 'Thank you');
  await page.goto('/billing');
}

/** Refuses changes at the end of the period, as the backend does for some subscriptions. */
async function refusePlannedChanges(page: Page): Promise<void> {
  await page.route('**/api/auth/subscription/preview', (route) => {
    const { when } = route.request().postDataJSON() as { when: string };
    if (when === 'now') return route.continue();
    const code = 'change_not_plannable';
    return route.fulfill({ status: 409, json: { code, error: REFUSALS[code].message } });
  });
}

/** The next change is sent as if its preview were of six minutes ago. */
async function makePreviewOld(page: Page): Promise<void> {
  const makeOld = async (route: Route) => {
    const change = route.request().postDataJSON() as { prorationDate: number };
    await route.continue({
      postData: JSON.stringify({ ...change, prorationDate: change.prorationDate - 360 }),
    });
  };
  await page.route('**/api/auth/subscription/change', makeOld, { times: 1 });
}
