import { expect, inject, test } from 'vitest';
import { signUp } from '../support/people.ts';
import { subscribablePlans } from '../support/plans.ts';
import { useBrowser } from './support/browser.ts';
import { fillIn, follow, heading } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

/** The page of the local Stripe where a plan is paid. */
const CHECKOUT = /\/c\/pay\//;

/** A project may have no plan that users subscribe to. */
const PLANS = subscribablePlans('user').slice(0, 1);

const signInWith = (callback: string) => `/auth/sign-in?${new URLSearchParams({ callback }).toString()}`;

test.each(PLANS)(
  'a person who is signed in confirms a checkout of $name that the callback begins',
  async ({ slug }) => {
    const visitor = await visit(await signUp());
    const { page } = visitor;
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const checkout = `/api/auth/checkout/${slug}`;
    await page.goto(signInWith(urls.app + checkout));
    await heading(page, 'You are signed in');
    await visitor.inspect('sign-in-confirm');
    expect(requested).not.toContain(checkout);
    await follow(page, 'Continue');
    await page.waitForURL(CHECKOUT);
  },
);

test.each(PLANS)(
  'a signed-out visitor who buys $name signs in, and is at the checkout without a further click',
  async ({ slug }) => {
    const { email, password } = await signUp();
    const { page } = await visit();
    await page.goto(`/api/auth/checkout/${slug}`);
    await heading(page, 'Sign in');
    await fillIn(page, { 'E-mail': email, Password: password });
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(CHECKOUT);
  },
);

test('a person who is signed in is led to a page of the app without a click', async () => {
  const { page } = await visit(await signUp());
  await page.goto(signInWith(`${urls.app}/billing`));
  await heading(page, 'Billing');
});
