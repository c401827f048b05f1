import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { checkout, pay, settled, subscriptionOf } from '../support/billing.ts';
import { meterFirestore, type MeteredFirestore } from '../support/cost.ts';
import { signIn, signUp, type Person } from '../support/people.ts';
import { call, locationOf } from '../support/requests.ts';

/** Own Firestore, because the deployed trigger would clean up in that of the stack. */
let firestore: MeteredFirestore;
let app: AppUnderTest;
beforeAll(async () => {
  firestore = await meterFirestore();
  app = await serveApp({ config: { trialDays: 14 } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await firestore[Symbol.asyncDispose]();
});

/** Buys on the hosted page, with the same card each time. @returns the text of the page */
async function buyOnPage(person: Person): Promise<string> {
  const page = locationOf(await checkout(app, person, 'pro'));
  const text = await (await fetch(page)).text();
  expect((await pay(app, page)).status).toBe(303);
  return text;
}

async function deleteAccount({ uid, email, password }: Person): Promise<void> {
  const { bearer } = await signIn({ uid, email, password });
  expect((await call('DELETE', `${app.url}/api/auth/user`, { headers: bearer })).status).toBe(204);
  await settled(app);
}

test('a person who deletes the account during the trial and registers again pays from the first day', async () => {
  const first = await signUp();
  expect(await buyOnPage(first)).toContain('14 days free');
  expect((await subscriptionOf(app, first.uid)).status).toBe('trialing');
  await deleteAccount(first);

  const again = await signUp({ email: first.email });
  expect(again.uid).not.toBe(first.uid);
  expect(await buyOnPage(again)).not.toContain('14 days free');
  expect(await subscriptionOf(app, again.uid)).toMatchObject({ status: 'active', trial_end: null });
});
