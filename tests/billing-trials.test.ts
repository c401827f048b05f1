import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { buy, checkout, settled, stripeOf, subscriptionOf } from './support/billing.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { adminAuth, adminFirestore, signIn, signUp, type Person } from './support/people.ts';
import { call } from './support/requests.ts';
import { addMember, createTeam } from './support/teams.ts';

const DAY_MS = 86_400_000;

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

const statusOf = async (customerId: string) => (await subscriptionOf(app, customerId)).status;

async function deleteUser({ uid, email, password }: Person): Promise<void> {
  const { bearer } = await signIn({ uid, email, password });
  expect((await call('DELETE', `${app.url}/api/auth/user`, { headers: bearer })).status).toBe(204);
}

test('the plans that have a trial say so', async () => {
  const response = await call('GET', `${app.url}/api/auth/plans`);
  const { plans } = (await response.json()) as { plans: { slug: string; trialDays: number }[] };
  expect(plans.map(({ slug, trialDays }) => [slug, trialDays])).toEqual([
    ['free', 0],
    ['pro', 14],
    ['business', 14],
  ]);
});

describe('a free trial of an address', () => {
  test('is not given again after registering the address again, in any spelling', async () => {
    const email = `${crypto.randomUUID()}@gmail.com`;
    const first = await signUp({ email });
    await buy(app, first, 'pro');
    expect(await statusOf(first.uid)).toBe('trialing');
    await deleteUser(first);
    expect((await adminFirestore().doc(`trials/${first.uid}`).get()).exists).toBe(false);

    for (const again of [
      email,
      `${email.replaceAll('-', '').slice(0, 8)}.${email.slice(8).replace('@', '+2@')}`,
    ]) {
      const person = await signUp({ email: again });
      await buy(app, person, 'pro');
      expect(await statusOf(person.uid)).toBe('active');
      await deleteUser(person);
    }
    const other = await signUp();
    await buy(app, other, 'pro');
    expect(await statusOf(other.uid)).toBe('trialing');
  });

  test('is not given again to an address with a plus tag, at any provider', async () => {
    const first = await signUp();
    await buy(app, first, 'pro');
    const again = await signUp({ email: first.email.replace('@', '+2@') });
    await buy(app, again, 'pro');
    expect(await statusOf(again.uid)).toBe('active');
  });

  test('is not used up by an account that has not verified the address', async () => {
    const stranger = await signUp({ emailVerified: false });
    await buy(app, stranger, 'pro');
    expect(await statusOf(stranger.uid)).toBe('active');
    await deleteUser(stranger);
    const owner = await signUp({ email: stranger.email });
    await buy(app, owner, 'pro');
    expect(await statusOf(owner.uid)).toBe('trialing');
  });

  test('is not used up by an account that got the address after its trial, and has not verified it', async () => {
    const stranger = await signUp();
    await buy(app, stranger, 'pro');
    const email = `${crypto.randomUUID()}@example.com`;
    await adminAuth().updateUser(stranger.uid, { email, emailVerified: false });
    await deleteUser({ ...stranger, email });
    const owner = await signUp({ email });
    await buy(app, owner, 'pro');
    expect(await statusOf(owner.uid)).toBe('trialing');
  });

  test('is given once the address is verified, also for a checkout that was begun before', async () => {
    const person = await signUp({ emailVerified: false });
    await checkout(app, person, 'pro');
    await adminAuth().updateUser(person.uid, { emailVerified: true });
    await buy(app, await signIn(person), 'pro');
    expect(await statusOf(person.uid)).toBe('trialing');
  });

  test('that a team has used is also used up for the addresses of its owner and of the admin who bought it', async () => {
    const [owner, admin] = await Promise.all([signUp(), signUp()]);
    const teamId = await createTeam(app.url, owner);
    await addMember(teamId, admin, 'admin');
    await buy(app, admin, `pro?team=${teamId}`);
    expect(await statusOf(teamId)).toBe('trialing');
    await addMember(teamId, await signUp(), 'owner');
    await Promise.all([deleteUser(owner), deleteUser(admin)]);
    for (const { email } of [owner, admin]) {
      const person = await signUp({ email });
      await buy(app, person, 'pro');
      expect(await statusOf(person.uid)).toBe('active');
    }
  });

  test('is not given again before the data of a deleted account is removed', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await adminAuth().deleteUser(person.uid);
    const again = await signUp({ email: person.email });
    await buy(app, again, 'pro');
    expect(await statusOf(again.uid)).toBe('active');
  });

  test('that another account has used stays used when an account with an old reservation is deleted', async () => {
    const [name, spellings] = [crypto.randomUUID().replaceAll('-', ''), ['', '+1', '+2']];
    const [first = '', second = '', third = ''] = spellings.map((tag) => `${name}${tag}@gmail.com`);
    const left = await signUp({ email: first });
    await checkout(app, left, 'pro');
    const trials = await adminFirestore().collection('trials').where('customerId', '==', left.uid).get();
    expect(trials.size).toBe(2);
    for (const { ref } of trials.docs) await ref.update({ reservedAt: new Date(Date.now() - 2 * DAY_MS) });
    const buyer = await signUp({ email: second });
    await buy(app, buyer, 'pro');
    expect(await statusOf(buyer.uid)).toBe('trialing');
    await deleteUser(left);
    const again = await signUp({ email: third });
    await buy(app, again, 'pro');
    expect(await statusOf(again.uid)).toBe('active');
  });

  test('that somebody gave in the dashboard of Stripe is used up for the address', async () => {
    const person = await signUp();
    await checkout(app, person, 'pro');
    const reserved = await adminFirestore().doc(`trials/${person.uid}`).get();
    const customer = await adminFirestore().doc(`customers/${person.uid}`).get();
    const stripe = stripeOf(app);
    const { data } = await stripe.prices.list({ lookup_keys: ['hearth_pro_monthly'] });
    await stripe.subscriptions.create({
      customer: customer.get('stripeId') as string,
      items: [{ price: data[0]?.id ?? '' }],
      trial_period_days: 7,
    });
    await settled(app);
    expect(await statusOf(person.uid)).toBe('trialing');
    const ofAddress = adminFirestore().doc(`trials/${reserved.get('addressId') as string}`);
    expect((await ofAddress.get()).get('usedAt')).toBeDefined();
  });

  test('without a stored address is kept for the address when the account is deleted', async () => {
    const person = await signUp();
    const used = { customerId: person.uid, reservedAt: new Date(), usedAt: new Date() };
    await adminFirestore().doc(`trials/${person.uid}`).set(used);
    await deleteUser(person);
    const again = await signUp({ email: person.email });
    await buy(app, again, 'pro');
    expect(await statusOf(again.uid)).toBe('active');
  });
});
