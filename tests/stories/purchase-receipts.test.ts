import { beforeAll, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buyOnce } from '../support/billing.ts';
import { CREDITS } from '../support/extras.ts';
import { adminAuth, signUp } from '../support/people.ts';
import { PRO_SOLD_ONCE } from '../support/plans.ts';
import { useResources } from '../support/resources.ts';
import { castOf, mailTo } from '../support/teams.ts';

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  app = resources.use(
    await serveApp({ config: { plans: PRO_SOLD_ONCE, extras: CREDITS, mailReceipt: true } }),
  );
});

const receiptsTo = async (email: string) =>
  (await mailTo(email)).filter(({ subject }) => subject.startsWith('Your receipt')).map(({ text }) => text);

test.each([
  ['a plan', 'pro', '$199.00 for Pro.'],
  ['credits', 'hundred', '$9.00 for Hundred credits.'],
])('a one-time purchase of %s is mailed a receipt', async (_what, item, words) => {
  const person = await signUp();
  await adminAuth().updateUser(person.uid, { emailVerified: true });
  await buyOnce(app, person, { item });
  expect(await receiptsTo(person.email)).toEqual([expect.stringContaining(words)]);
});

test('the receipt of a team goes to its owner', async () => {
  const { owner, teamId } = await castOf(app.url);
  await adminAuth().updateUser(owner.uid, { emailVerified: true });
  await buyOnce(app, owner, { item: 'pro', team: teamId });
  expect(await receiptsTo(owner.email)).toEqual([expect.stringContaining('$199.00 for Pro of the team')]);
});

test('no receipt is mailed if the setting is off', async () => {
  await using quiet = await serveApp({
    config: { plans: PRO_SOLD_ONCE, extras: CREDITS, mailReceipt: false },
  });
  const person = await signUp();
  await adminAuth().updateUser(person.uid, { emailVerified: true });
  await buyOnce(quiet, person, { item: 'pro' });
  expect(await receiptsTo(person.email)).toEqual([]);
});
