import { join } from 'node:path';
import { launchChromium } from '@hearth/testing/chromium';
import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { BACKSTOP_MS } from '../../scripts/backstop.ts';
import { ROOT } from '../../scripts/paths.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { claimsOf } from '../support/billing.ts';
import { adminAuth, adminFirestore, signUp } from '../support/people.ts';
import { useResources } from '../support/resources.ts';
import { serveExample, type ExampleServer } from './support/example-app.ts';
import { fillIn, heading, press, shows } from './support/steps.ts';

let app: AppUnderTest;
let site: ExampleServer;
let phone: ExampleServer;
let newPage: () => Promise<Page>;

const resources = useResources();
beforeAll(async () => {
  [site, phone] = [resources.use(await serveExample()), resources.use(await serveExample())];
  app = resources.use(
    await serveApp({
      isVisited: true,
      config: {
        allowedOrigins: [site.origin, phone.origin],
        returnUrls: [site.origin, 'myapp://paid'],
      },
    }),
  );
  const firebase = JSON.stringify({ apiKey: 'demo', projectId: inject('stack').projectId });
  const { auth } = inject('stack').urls;
  await site.bundle(join(ROOT, 'examples/vite/vite.config.ts'), {
    'import.meta.env.VITE_HEARTH_URL': app.url,
    'import.meta.env.VITE_FIREBASE_CONFIG': firebase,
    'import.meta.env.VITE_AUTH_EMULATOR': auth,
  });
  await phone.bundle(join(ROOT, 'examples/react-native/web/vite.config.ts'), {
    'process.env.EXPO_PUBLIC_HEARTH_URL': app.url,
    'process.env.EXPO_PUBLIC_FIREBASE_CONFIG': firebase,
    'process.env.EXPO_PUBLIC_AUTH_EMULATOR': auth,
  });
  const browser = resources.use(await launchChromium());
  newPage = async () => {
    const context = await browser.newContext({ locale: 'en-US' });
    context.setDefaultTimeout(BACKSTOP_MS);
    return context.newPage();
  };
});

test('a web app on another origin signs up, creates a team, and buys for it', async () => {
  const page = await newPage();
  await page.goto(site.origin);
  await fillIn(page, { 'E-mail': 'ada@vite.example', Password: 'correct horse' });
  await page.getByLabel('I am new here').check();
  await press(page, 'Continue');
  await page.getByLabel('New team').fill('Acme');
  await press(page, 'Create the team');
  await page.getByRole('option', { name: 'Acme', selected: true }).waitFor({ state: 'attached' });

  await press(page, 'Buy Pro');
  await press(page, /^Pay|^Start trial/);
  await heading(page, 'Thank you');
  expect(page.url()).toBe(`${site.origin}/paid?checkout=success`);
  await shows(page, 'Acme: pro');
  await shows(page, 'You: free');

  const { uid } = await adminAuth().getUserByEmail('ada@vite.example');
  const teams = await adminFirestore().collection('teams').where('ownerId', '==', uid).get();
  expect(teams.docs.map((team) => team.get('plan') as string)).toEqual(['pro']);
});

test('the forms of a web app on another origin keep what was entered when it is refused', async () => {
  const person = await signUp();
  const page = await newPage();
  await page.goto(site.origin);
  await fillIn(page, { 'E-mail': person.email, Password: 'wrong horse' });
  await page.getByLabel('I am new here').check();
  await press(page, 'Continue');
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('E-mail').inputValue()).toBe(person.email);
  expect(await page.getByLabel('I am new here').isChecked()).toBe(true);
  await page.getByLabel('I am new here').uncheck();
  await fillIn(page, { Password: person.password });
  await press(page, 'Continue');

  const refused = 'x'.repeat(200);
  await fillIn(page, { 'New team': refused });
  await press(page, 'Create the team');
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('New team').inputValue()).toBe(refused);
});

test('a web app on another origin comes back without the plan from a checkout that was left', async () => {
  const person = await signUp();
  const page = await newPage();
  await page.goto(site.origin);
  await fillIn(page, { 'E-mail': person.email, Password: person.password });
  await press(page, 'Continue');
  await press(page, 'Buy Business');
  await page.getByRole('link', { name: /back|cancel/i }).click();
  await heading(page, 'Nothing was charged');
  await shows(page, 'You: free');
  await press(page, 'Sign out');
  await heading(page, 'Sign in');
});

test('a phone app buys in the browser, is opened by its link, and signs out', async () => {
  const person = await signUp();
  const page = await newPage();
  await page.goto(phone.origin);
  await fillIn(page, { 'E-mail': person.email, Password: 'wrong horse' });
  await press(page, 'Sign in');
  await shows(page, 'Please check what you entered, and try again.');
  await fillIn(page, { Password: person.password });
  await press(page, 'Sign in');
  await shows(page, 'Your plan: free');

  const [browser] = await Promise.all([page.waitForEvent('popup'), press(page, 'Buy Pro')]);
  const [link] = await Promise.all([linkToApp(browser), press(browser, /^Pay|^Start trial/)]);
  expect(link).toBe('myapp://paid?checkout=success');
  expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
  await page.evaluate((url) => dispatchEvent(new CustomEvent('phone:open-link', { detail: url })), link);
  await shows(page, 'Thank you');
  await shows(page, 'Your plan: pro');

  await press(page, 'Sign out');
  await page.getByLabel('Password').waitFor();
});

/** The link that the return route redirects to. A phone passes it to the app; a browser cannot open it. */
async function linkToApp(browser: Page): Promise<string> {
  const response = await browser.waitForEvent('response', (answer) =>
    answer.url().startsWith(`${app.url}/api/auth/return`),
  );
  return (await response.headerValue('location')) ?? '';
}
