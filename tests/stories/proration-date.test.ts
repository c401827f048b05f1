import { beforeAll, describe, expect, test } from 'vitest';
import { extrasSchema } from '../../functions/src/settings/extras.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, subscriptionOf } from '../support/billing.ts';
import { AppClock } from '../support/clock.ts';
import { meterFirestore } from '../support/cost.ts';
import { signUp, type Person } from '../support/people.ts';
import { priceOf } from '../support/plans.ts';
import { call, errorOf } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';

const MINUTE = 60;
const DAY = 86_400;

const extras = extrasSchema.parse({
  addOns: [
    {
      slug: 'storage',
      name: 'Storage',
      description: 'One more megabyte',
      plans: ['pro', 'business'],
      limits: { storageMegabytes: 1 },
      maxQuantity: 3,
      prices: { month: priceOf('storage_month', 300), year: priceOf('storage_year', 3_000) },
    },
  ],
});

/** A Firestore of its own, because these tests move its clock. */
const resources = useResources();
let app: AppUnderTest;
const clock = new AppClock();
beforeAll(async () => {
  resources.use(await meterFirestore());
  app = resources.use(await serveApp({ config: { extras }, backend: { now: clock.now } }));
});

const pass = (seconds: number) => clock.passSeconds(app, seconds);

const post = (person: Person, path: string, json: object) =>
  call('POST', `${app.url}/api/auth/subscription/${path}`, { headers: person.bearer, json });

async function periodOf(person: Person): Promise<{ start: number; end: number }> {
  const { items } = await subscriptionOf(app, person.uid);
  const start = items.data[0]?.current_period_start ?? 0;
  const end = items.data[0]?.current_period_end ?? 0;
  return { start, end };
}

/** The totals of the customer's invoices, latest first. */
async function totalsOf(person: Person): Promise<number[]> {
  const answer = await call('GET', `${app.url}/api/auth/invoices`, { headers: person.bearer });
  return ((await answer.json()) as { invoices: { total: number }[] }).invoices.map(({ total }) => total);
}

/** A person who has had Pro for a day. */
async function subscriber(): Promise<Person> {
  const person = await signUp();
  await buy(app, person, 'pro');
  await pass(DAY);
  return person;
}

type Period = Awaited<ReturnType<typeof periodOf>>;

const nowInSeconds = () => Math.floor(clock.now().getTime() / 1000);

const CHANGES: [what: string, path: string, body: object][] = [
  ['a plan', 'change', { plan: 'business' }],
  ['an add-on', 'add-ons', { addOn: 'storage', quantity: 2 }],
];

const DATES: [what: string, date: (period: Period) => number][] = [
  ['at the end of the period', ({ end }) => end],
  ['at the start of the period', ({ start }) => start],
  ['of ten minutes ahead', () => nowInSeconds() + 10 * MINUTE],
  ['of six minutes ago', () => nowInSeconds() - 6 * MINUTE],
];

describe.each(CHANGES)('a change of %s', (_what, path, body) => {
  test.each(DATES)('with a date %s is refused, and costs and changes nothing', async (_when, dateOf) => {
    const ada = await subscriber();
    const before = await subscriptionOf(app, ada.uid);
    const refused = await post(ada, path, { ...body, prorationDate: dateOf(await periodOf(ada)) });
    expect(await errorOf(refused)).toMatchObject({ status: 409, code: 'preview_expired' });
    const { items } = await subscriptionOf(app, ada.uid);
    expect(items.data).toEqual(before.items.data);
    expect(await totalsOf(ada)).toEqual([1_200]);
  });

  test('costs what the preview of two minutes ago has shown', async () => {
    const ada = await subscriber();
    const preview = await post(ada, path === 'change' ? 'preview' : 'add-ons/preview', body);
    const { amountDue, prorationDate } = (await preview.json()) as Record<string, number>;
    await pass(2 * MINUTE);
    expect((await post(ada, path, { ...body, prorationDate })).status).toBe(200);
    expect(await totalsOf(ada)).toEqual([amountDue, 1_200]);
  });

  test('succeeds when it is repeated after the preview has expired', async () => {
    const ada = await subscriber();
    const dated = { ...body, prorationDate: nowInSeconds() };
    expect((await post(ada, path, dated)).status).toBe(200);
    await pass(6 * MINUTE);
    expect((await post(ada, path, dated)).status).toBe(200);
    expect(await totalsOf(ada)).toHaveLength(2);
  });
});

const NO_CHANGES: [what: string, path: string, body: object][] = [
  ['to the present plan', 'preview', { plan: 'pro' }],
  ['to the present plan at the end of the period', 'preview', { plan: 'pro', when: 'period_end' }],
  ['to the present units of an add-on', 'add-ons/preview', { addOn: 'storage', quantity: 0 }],
];

test.each(NO_CHANGES)('the preview of a change %s has no invoice', async (_what, path, body) => {
  const ada = await subscriber();
  const preview = await post(ada, path, body);
  expect(preview.status).toBe(200);
  expect(await preview.json()).toMatchObject({ amountDue: 0, currency: 'usd', lines: [] });
});

test('a planned change is taken back at the price of its preview', async () => {
  const ada = await subscriber();
  await post(ada, 'change', { plan: 'business', when: 'period_end' });
  expect(await (await post(ada, 'preview', { plan: 'pro' })).json()).toMatchObject({ amountDue: 0 });
  const changed = await post(ada, 'change', { plan: 'pro' });
  expect(await changed.json()).toMatchObject({ plan: 'pro', plannedChange: null });
  expect(await totalsOf(ada)).toEqual([1_200]);
});

test('a preview during a trial says that the change is charged at the end of the trial', async () => {
  await using trials = await serveApp({ config: { trialDays: 7 } });
  const ada = await signUp();
  await buy(trials, ada, 'pro');
  const { trial_end: trialEnd } = await subscriptionOf(trials, ada.uid);
  const url = `${trials.url}/api/auth/subscription/preview`;
  const preview = await call('POST', url, { headers: ada.bearer, json: { plan: 'business' } });
  expect(await preview.json()).toMatchObject({
    amountDue: 4_900,
    dueAt: new Date((trialEnd ?? 0) * 1000).toISOString(),
    prorationDate: expect.any(Number) as number,
  });
});

test('the minutes before a change are not credited a second time', async () => {
  const ada = await subscriber();
  const prorationDate = nowInSeconds();
  await pass(2 * MINUTE);
  expect((await post(ada, 'change', { plan: 'business' })).status).toBe(200);
  const refused = await post(ada, 'change', { plan: 'pro', prorationDate });
  expect(await errorOf(refused)).toMatchObject({ status: 409, code: 'preview_expired' });
});

test.each(['preview', 'add-ons/preview'])('the request for a %s has no date', async (path) => {
  const ada = await subscriber();
  const body = path === 'preview' ? { plan: 'business' } : { addOn: 'storage', quantity: 1 };
  const refused = await post(ada, path, { ...body, prorationDate: nowInSeconds() });
  expect(await errorOf(refused)).toMatchObject({ status: 400, code: 'invalid_request' });
});

test.each([-1, 0.5, 10_001, '1', null])('an add-on is refused for %j units', async (quantity) => {
  const ada = await signUp();
  for (const path of ['add-ons', 'add-ons/preview']) {
    const refused = await post(ada, path, { addOn: 'storage', quantity });
    expect(await errorOf(refused)).toMatchObject({ status: 400, code: 'invalid_request' });
  }
});

test('a user makes at most 50 changes a day', async () => {
  const ada = await signUp();
  const statuses: number[] = [];
  for (let count = 0; count <= 50; count++)
    statuses.push((await post(ada, 'change', { plan: 'pro' })).status);
  expect(new Set(statuses.slice(0, 50))).toEqual(new Set([404]));
  expect(statuses.at(-1)).toBe(429);
});
