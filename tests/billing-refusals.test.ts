import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncSeats } from '../functions/src/billing/subscriptions/sync/seats.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { buy, checkout, subscriptionCopiesOf, stripeOf, subscriptionOf } from './support/billing.ts';
import { adminAuth, adminFirestore, signIn, signUp, type Person } from './support/people.ts';
import { visit } from './support/requests.ts';
import { addMember, castOf } from './support/teams.ts';

/** Requests that Stripe refuses permanently do not block anything else. */
let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

test('a subscription that was deleted at Stripe is removed, and the seats of the others are synced', async () => {
  const { teamId, owner, outsider } = await castOf(app.url);
  await buy(app, owner, `business?team=${teamId}`);
  const { id } = await subscriptionOf(app, teamId);
  const copies = adminFirestore().collection(`customers/${teamId}/subscriptions`);
  const intact = (await copies.doc(id).get()).data() ?? {};
  // A customer before it in the list, and one after it.
  await Promise.all(['sub_', 'sub_zzzz'].map((gone) => copies.doc(gone).set(intact)));
  await addMember(teamId, outsider, 'member');
  await syncSeats(app.backend, teamId);
  expect((await subscriptionOf(app, teamId)).items.data).toMatchObject([{ quantity: 4 }]);
  expect(await subscriptionCopiesOf(teamId)).toMatchObject([{ id, quantity: 4 }]);
});

/** Firebase takes addresses that Stripe does not. */
async function withRefusedAddress(): Promise<Person> {
  const person = await signUp();
  const email = `${person.uid}ä@example.com`.toLowerCase();
  await adminAuth().updateUser(person.uid, { email });
  return signIn({ ...person, email });
}

const customersOf = ({ uid }: Person) =>
  stripeOf(app).customers.search({ query: `metadata['firebaseUID']:'${uid}'` });

test.each(['checkout/pro', 'portal'])(
  'an e-mail address that Stripe refuses is left out at %s',
  async (path) => {
    const person = await withRefusedAddress();
    const ask = () => visit(`${app.url}/api/auth/${path}`, person.bearer);
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect([...answers, await ask()].map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect((await customersOf(person)).data).toMatchObject([{ email: null }]);
  },
);

test('a name that is too long for Stripe is cut', async () => {
  const person = await signUp();
  await adminAuth().updateUser(person.uid, { displayName: 'x'.repeat(300) });
  expect((await visit(`${app.url}/api/auth/portal`, person.bearer)).status).toBe(303);
  expect((await customersOf(person)).data).toMatchObject([{ name: 'x'.repeat(100) }]);
});

test('a user with such an address gets one customer, though the answer to its creation was lost', async () => {
  const person = await withRefusedAddress();
  expect((await checkout(app, person, 'pro')).status).toBe(303);
  const { FieldValue } = await import('firebase-admin/firestore');
  await adminFirestore().doc(`customers/${person.uid}`).update({ stripeId: FieldValue.delete() });
  expect((await checkout(app, person, 'pro')).status).toBe(303);
  expect((await customersOf(person)).data).toHaveLength(1);
});
