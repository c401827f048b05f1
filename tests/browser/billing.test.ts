import { launchChromium } from '@hearth/testing/chromium';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { BACKSTOP_MS } from '../../scripts/backstop.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { setUpPortal, subscriptionCopiesOf, settled, subscriptionOf } from '../support/billing.ts';
import { meterFirestore } from '../support/cost.ts';
import { adminFirestore, signUp, startSession, type Person } from '../support/people.ts';
import { call, visit } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';
import { createTeam, inviteTo } from '../support/teams.ts';

const DAY = 86_400;

let app: AppUnderTest;
/** Seconds by which the time of the app is ahead. */
let later = 0;
let page: Page;
let owner: Person;
let teamId: string;

const resources = useResources();
beforeAll(async () => {
  // Own Firestore, because the app's clock moves forward.
  resources.use(await meterFirestore());
  app = resources.use(
    await serveApp({
      isVisited: true,
      config: { pastDueGraceDays: 0 },
      backend: { now: () => new Date(Date.now() + later * 1000) },
    }),
  );
  await setUpPortal(app);
  owner = await signUp();
  teamId = await createTeam(app.url, owner);
  const browser = resources.use(await launchChromium());
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(BACKSTOP_MS);
  const { Cookie } = await startSession(app.url, owner, app.url);
  const [name = '', value = ''] = Cookie.split('=');
  await context.addCookies([{ name, value, url: app.url }]);
  page = await context.newPage();
});

const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
const follow = (name: string | RegExp) => page.getByRole('link', { name }).first().click();
const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();
const openPortal = () => page.goto(`${app.url}/api/auth/portal?team=${teamId}`);
const typeCard = (number: string) => page.getByLabel('Card number').fill(number);

const team = async () => (await adminFirestore().doc(`teams/${teamId}`).get()).data();
const readCopy = async () => (await subscriptionCopiesOf(teamId))[0];

/** Waits until all events are handled, and expects these fields in our copy. */
async function expectCopy(subscription: object): Promise<void> {
  await settled(app);
  expect(await readCopy()).toMatchObject(subscription);
}

test('an owner whose card is declined pays with another one, and comes back with the plan', async () => {
  await page.goto(`${app.url}/api/auth/checkout/pro?team=${teamId}`);
  await typeCard('4000 0000 0000 0002');
  await press(/^Pay/);
  await shows(/declined/);
  expect(await team()).toMatchObject({ plan: 'free' });

  await typeCard('4242 4242 4242 4242');
  await Promise.all([page.waitForURL(`${app.url}/billing/success?team=${teamId}`), press(/^Pay/)]);
  expect(await team()).toMatchObject({ plan: 'pro', seatLimit: 10 });
  await expectCopy({ status: 'active', role: 'pro', quantity: 1 });
});

test('an owner who buys the plan again is led to the portal, and changes to a greater plan there', async () => {
  await page.goto(`${app.url}/api/auth/checkout/business?team=${teamId}`);
  await shows('Your subscriptions');
  await follow('Change plan');
  await page.getByRole('radio', { name: /Business.*month/ }).check();
  await press('Continue');
  await press('Confirm');
  await shows('Your subscriptions');
  await expectCopy({ status: 'active', role: 'business', quantity: 1 });
  expect(await team()).toMatchObject({ plan: 'business', seatLimit: 100, billingDependsOnMembers: true });
});

test('a member who joins is billed', async () => {
  const guest = await signUp();
  const { id } = await inviteTo(app.url, owner, teamId, guest.email);
  const joined = await visit(`${app.url}/api/team/accept-invitation?invitationId=${id}`, guest.bearer);
  expect(joined.status).toBe(303);
  await expectCopy({ quantity: 2 });
  await openPortal();
  await shows('Business × 2');
});

test('a renewal that the card does not pay ends the plan', async () => {
  await openPortal();
  await follow('Change payment method');
  await typeCard('4000 0000 0000 0341');
  await press('Save card');
  await shows('Your subscriptions');
  await settled(app);
  later += 32 * DAY;
  await call('POST', `${app.stripe.url}/_emulator/clock`, { json: { advance: 32 * DAY } });
  await expectCopy({ status: 'past_due', latest_invoice: { status: 'open' } });
  expect(await team()).toMatchObject({ plan: 'free', seatLimit: 3, hasRunningSubscription: true });
});

test('paying the open invoice gives the plan back', async () => {
  await openPortal();
  await shows('Payment failed');
  await page.getByRole('row', { name: /Open/ }).getByRole('link').click();
  await typeCard('4242 4242 4242 4242');
  await press(/^Pay/);
  await shows('paid');
  await expectCopy({ status: 'active', latest_invoice: { status: 'paid' } });
  expect(await team()).toMatchObject({ plan: 'business', seatLimit: 100 });
});

test('a cancelled subscription runs until the end of its period, and can be resumed', async () => {
  await openPortal();
  await press('Cancel Business');
  await shows(/ends on/);
  await settled(app);
  expect((await subscriptionOf(app, teamId)).cancel_at).not.toBeNull();
  expect(await readCopy()).toMatchObject({ status: 'active', cancel_at: expect.anything() as unknown });
  expect(await team()).toMatchObject({ plan: 'business' });

  await press('Keep Business');
  await shows(/renews on/);
  await expectCopy({ status: 'active', cancel_at_period_end: false, cancel_at: null });
});

test('a cancelled subscription that is not resumed ends, and the team has the free plan', async () => {
  await openPortal();
  await press('Cancel Business');
  await shows(/ends on/);
  later += 32 * DAY;
  await call('POST', `${app.stripe.url}/_emulator/clock`, { json: { advance: 32 * DAY } });
  await expectCopy({ status: 'canceled' });
  expect(await team()).toMatchObject({
    plan: 'free',
    seatLimit: 3,
    hasRunningSubscription: false,
    billingDependsOnMembers: false,
  });
});
