import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { beforeAll, expect, test, vi } from 'vitest';
import { ROOT } from '../../scripts/paths.ts';
import { adminAuth, signUp } from '../support/people.ts';
import { useBrowser } from './support/browser.ts';
import { fillIn, heading, isGone, press, shows } from './support/steps.ts';
import { addAuthenticators, codeAt } from './support/totp.ts';

const visit = useBrowser();

/** The pages with the second factor turned on. */
let files: Map<string, string>;
beforeAll(async () => {
  vi.stubEnv('VITE_SECOND_FACTOR', 'true');
  const result = await build({
    configFile: join(ROOT, 'web/vite.config.ts'),
    logLevel: 'error',
    build: { write: false, sourcemap: false },
  });
  vi.unstubAllEnvs();
  const { output } = result as Rolldown.RolldownOutput;
  files = new Map(
    output.map((file) => [
      `/${file.fileName}`,
      file.type === 'chunk' ? file.code : Buffer.from(file.source).toString(),
    ]),
  );
});

/** Serves these pages in place of those of Hosting, with the same headers. */
async function servePages(context: BrowserContext): Promise<void> {
  // The browser does not know that a page comes from this machine if the test answers for Hosting.
  await context.grantPermissions(['local-network-access']);
  await context.route(
    ({ pathname }) => files.has(pathname) && /\.(js|css)$/.test(pathname),
    (route) => {
      const { pathname } = new URL(route.request().url());
      const contentType = pathname.endsWith('.js') ? 'text/javascript' : 'text/css';
      return route.fulfill({ contentType, body: files.get(pathname) ?? '' });
    },
  );
  await context.route(/\/(account|dashboard|auth\/sign-in)(\?.*)?$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: files.get('/index.html') ?? '' });
  });
}

const dialogOf = (page: Page) => page.getByRole('dialog');

const submit = (page: Page, name: string) =>
  dialogOf(page).getByRole('button', { name, exact: true }).click();

test('a person turns on the second factor, signs in with it, and turns it off', async () => {
  const person = await signUp();
  const visitor = await visit(person);
  const { page, context } = visitor;
  await servePages(context);
  await addAuthenticators(context);
  const factorsOf = async () => (await adminAuth().getUser(person.uid)).multiFactor?.enrolledFactors ?? [];

  await page.goto('/account');
  await press(page, 'Turn on');
  await fillIn(page, { 'Your password': person.password });
  await submit(page, 'Continue');
  await shows(page, 'Scan this with your authenticator app');
  await visitor.inspect('account-second-factor');
  const secret = await dialogOf(page).locator('code').innerText();
  await fillIn(page, { Code: '000 000' });
  await submit(page, 'Turn on the second factor');
  await shows(page, 'This code is wrong or has expired.');
  await visitor.expectComplaint(/400/);
  expect(await factorsOf()).toEqual([]);
  await fillIn(page, { Code: codeAt(secret) });
  await submit(page, 'Turn on the second factor');
  await shows(page, 'The second factor is on.');
  expect(await factorsOf()).toHaveLength(1);

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await page.goto('/auth/sign-in');
  await fillIn(page, { 'E-mail': person.email, Password: person.password });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(page, 'Enter your code');
  await visitor.inspect('sign-in-second-factor');
  await fillIn(page, { Code: '000000' });
  await press(page, 'Sign in');
  await shows(page, 'This code is wrong or has expired.');
  await visitor.expectComplaint(/400/);
  await fillIn(page, { Code: codeAt(secret) });
  await press(page, 'Sign in');
  await heading(page, /^Hello/);
  await page.goto('/account');

  await press(page, 'Turn off');
  await fillIn(page, { 'Your password': person.password, Code: codeAt(secret) });
  await visitor.inspect('account-second-factor-off');
  await submit(page, 'Turn off the second factor');
  await shows(page, 'The second factor is off.');
  expect(await factorsOf()).toEqual([]);
  await page.reload();
  await shows(page, 'Protect your account');
});

test('somebody with an unverified address cannot turn on the second factor', async () => {
  const { page, context } = await visit(await signUp({ emailVerified: false }));
  await servePages(context);
  await page.goto('/account');
  await shows(page, 'Verify your e-mail address first.');
  await isGone(page.getByRole('button', { name: 'Turn on' }));
});

test('a project without the second factor does not offer it', async () => {
  const { page } = await visit(await signUp());
  await page.goto('/account');
  await shows(page, 'this one');
  expect(await page.getByText('Second factor').count()).toBe(0);
});
