import { expect, inject, test } from 'vitest';
import { BROWSER_BACKSTOP_MS } from '../../scripts/backstop.ts';
import { adminFirestore, signUp } from '../support/people.ts';
import { createTeam } from '../support/teams.ts';
import { useBrowser } from './support/browser.ts';
import { follow, heading, press, shows } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

/** A promise, and the function that resolves it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

test('a page that is loaded late does not replace the page that was opened after it', async () => {
  const { page } = await visit(await signUp());
  const { open, opened } = gate();
  await page.route('**/assets/dashboard-*.js', async (route) => {
    await opened;
    await route.continue();
  });
  const requested = page.waitForRequest('**/assets/dashboard-*.js');
  await page.goto('/dashboard');
  await follow(page, 'Billing');
  await shows(page, 'You have no subscription.');
  open();
  // The import of the page comes first, so the page knows of it by now.
  // As text, because the test's own build would change the import.
  await page.evaluate(`import('${(await requested).url()}')`);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect(await page.getByText('You have no subscription.').count()).toBe(1);
});

test('a listener that was refused listens again at the push of a button', async () => {
  const owner = await signUp();
  const teamId = await createTeam(urls.app, owner);
  const visitor = await visit(owner);
  const { page } = visitor;
  const { open, opened } = gate();
  await page.route('**/api/auth/plans', async (route) => {
    await opened;
    await route.continue();
  });
  const session = page.waitForResponse('**/api/auth/session');
  await page.goto('/billing');
  await (await session).finished();
  // A document by hand keeps the team in the list, and the rules ask for the document of the member.
  const member = adminFirestore().doc(`teams/${teamId}/members/${owner.uid}`);
  const data = (await member.get()).data() ?? {};
  await member.parent.doc('by-hand').set(data);
  await member.delete();
  open();
  await shows(page, 'The subscription cannot be read right now.');
  await visitor.inspect('billing-unreadable');
  await member.set(data);
  await press(page, 'Try again');
  await shows(page, 'The team has no subscription.');
});

test('a page whose plans could not be loaded is shown at the second try', async () => {
  const visitor = await visit(await signUp());
  const { page } = visitor;
  await page.route('**/api/auth/plans', (route) => route.fulfill({ status: 500 }), { times: 1 });
  await page.goto('/billing');
  await heading(page, 'This page cannot be shown');
  await press(page, 'Try again');
  await shows(page, 'You have no subscription.');
  await visitor.expectComplaint(/500/);
  await visitor.expectComplaint(/HearthError|Error/);
});

test('without a connection to Firestore the page does not say that there is no subscription', async () => {
  const visitor = await visit(await signUp());
  const { page } = visitor;
  await page.route(/google\.firestore\.v1\.Firestore\/Listen/, (route) => route.abort());
  let failures = 0;
  page.on('requestfailed', () => (failures += 1));
  await page.goto('/billing');
  await shows(page, 'Loading subscription');
  await expect.poll(() => failures, { timeout: BROWSER_BACKSTOP_MS }).toBeGreaterThan(2);
  expect(await page.getByText('You have no subscription.').count()).toBe(0);
  await page.close();
  visitor.complaints.length = 0;
});
