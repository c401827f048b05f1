import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AppHooks } from '../../functions/src/app-hooks.ts';
import {
  deliverDuePlanChanges,
  deliverPlanChange,
} from '../../functions/src/billing/notices/deliver-plan-change.service.ts';
import { notifyCustomer } from '../../functions/src/billing/notices/notify-customer.service.ts';
import { planEndedMail } from '../../functions/src/mail/templates/billing.ts';
import { BRAND } from '../../shared/src/brand.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import {
  buy,
  deliver,
  failPayment,
  payInvoice,
  settled,
  stripeOf,
  subscriptionOf,
  withoutToken,
} from '../support/billing.ts';
import { meterFirestore, type MeteredFirestore } from '../support/cost.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { call } from '../support/requests.ts';
import { addMember, auditLogOf, castOf, mailTo, setRole } from '../support/teams.ts';

type Delivered = Parameters<AppHooks['onPlanChanged']>[0];

/** The changes that the app has received, and the errors that its hook will throw. */
const received: Delivered[] = [];
const failures: Error[] = [];

const appHooks: AppHooks = {
  onPlanChanged: (change) => {
    received.push(change);
    const failure = failures.pop();
    return failure === undefined ? Promise.resolve() : Promise.reject(failure);
  },
};

/** Own Firestore, so that no other test delivers the changes. */
let firestore: MeteredFirestore;
let app: AppUnderTest;
beforeAll(async () => {
  firestore = await meterFirestore();
  const config = { trialDays: 7, mailReceipt: false, mailAccountDeleted: false };
  app = await serveApp({ backend: { appHooks }, config });
});
beforeEach(async () => {
  await deliverAll();
  received.length = 0;
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await firestore[Symbol.asyncDispose]();
});

const changeIds = async () =>
  (await adminFirestore().collection('planChanges').get()).docs.map(({ id }) => id);

/** Runs the trigger for every recorded change, as Eventarc does. */
async function deliverAll(): Promise<void> {
  for (const id of await changeIds()) await deliverPlanChange(app.backend, id);
}

/** The schedule, eleven minutes later. */
const sweep = () => deliverDuePlanChanges({ ...app.backend, now: () => new Date(Date.now() + 660_000) });

async function cancel(customerId: string): Promise<void> {
  await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, customerId)).id);
  await settled(app);
}

const subjects = async ({ email }: Pick<Person, 'email'>) =>
  (await mailTo(email)).map(({ subject }) => subject);

describe('the hook of the app', () => {
  test('receives each change of the plan of a user and of a team', async () => {
    const { owner, teamId } = await castOf(app.url);
    await buy(app, owner, 'pro');
    await buy(app, owner, `business?team=${teamId}`);
    await cancel(teamId);
    await deliverAll();
    const summary = received.map(({ customerId, type, from, to }) => [customerId, type, from, to]).sort();
    const expected = [
      [owner.uid, 'user', 'free', 'pro'],
      [teamId, 'team', 'free', 'business'],
      [teamId, 'team', 'business', 'free'],
    ];
    expect(summary).toEqual(expected.sort());
    expect(await changeIds()).toEqual([]);
  });

  test('receives nothing when a sync changes no plan', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await deliverAll();
    received.length = 0;
    const { id } = await subscriptionOf(app, person.uid);
    await stripeOf(app).subscriptions.update(id, { metadata: { note: 'x' } });
    await settled(app);
    expect([await changeIds(), received]).toEqual([[], []]);
  });

  test('receives a change whose trigger was lost from the schedule', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    expect(await deliverDuePlanChanges(app.backend)).toBe(0);
    expect(await sweep()).toBe(1);
    expect(received).toMatchObject([{ customerId: person.uid, from: 'free', to: 'pro' }]);
  });

  test('receives a change again with the same id after it has failed', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    const [id = ''] = await changeIds();
    failures.push(new Error('down'));
    await expect(deliverPlanChange(app.backend, id)).rejects.toThrow('down');
    expect(await changeIds()).toEqual([id]);
    failures.push(new Error('still down'));
    expect(await sweep()).toBe(0);
    await deliverPlanChange(app.backend, id);
    expect(received.map((change) => change.id)).toEqual([id, id, id]);
    await deliverPlanChange(app.backend, id);
    expect(received).toHaveLength(3);
  });

  test('receives a change again if the process dies before its record is deleted', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    const [id = ''] = await changeIds();
    const dying = Object.create(app.backend.db, {
      planChanges: {
        value: {
          get: () => app.backend.db.planChanges.get(id),
          delete: () => Promise.reject(new Error('died')),
        },
      },
    }) as typeof app.backend.db;
    await expect(deliverPlanChange({ ...app.backend, db: dying }, id)).rejects.toThrow('died');
    await deliverPlanChange(app.backend, id);
    expect(received.map((change) => change.id)).toEqual([id, id]);
  });

  test('receives the end of the plan of a deleted team and of a deleted account', async () => {
    const { owner, member, teamId } = await castOf(app.url);
    await buy(app, owner, `pro?team=${teamId}`);
    await buy(app, member, 'pro');
    await deliverAll();
    received.length = 0;
    const remove = (person: Person, path: string) =>
      call('DELETE', `${app.url}/api/auth/${path}`, { headers: person.bearer });
    failures.push(new Error('down'));
    expect((await remove(member, 'user')).status).toBe(204);
    expect(await changeIds()).toEqual([]);
    expect((await remove(owner, `teams/${teamId}?endSubscription=true`)).status).toBe(204);
    await deliverAll();
    expect(received).toMatchObject([
      { customerId: member.uid, type: 'user', from: 'pro', to: 'free' },
      { customerId: teamId, type: 'team', from: 'pro', to: 'free' },
    ]);
    expect(await mailTo(member.email)).toEqual([]);
  });

  test('receives the end before the account is deleted, and no record of the user is left', async () => {
    const person = await signUp();
    // Another program has deleted the copy of the subscription, so only the customer has the plan.
    await adminFirestore().doc(`customers/${person.uid}`).set({ email: person.email, plan: 'pro' });
    const { status } = await call('DELETE', `${app.url}/api/auth/user`, { headers: person.bearer });
    expect(status).toBe(204);
    expect(received).toMatchObject([{ customerId: person.uid, from: 'pro', to: 'free' }]);
    expect(await changeIds()).toEqual([]);
  });
});

describe('a plan that was removed from the configuration', () => {
  test('ends with a change for the app and an entry in the audit log, but without mail', async () => {
    const { owner, teamId } = await castOf(app.url);
    await buy(app, owner, `pro?team=${teamId}`);
    await deliverAll();
    received.length = 0;
    for (const path of [`teams/${teamId}`, `customers/${teamId}`]) {
      await adminFirestore().doc(path).update({ plan: 'removed' });
    }
    await cancel(teamId);
    await deliverAll();
    expect(received).toMatchObject([{ customerId: teamId, from: 'removed', to: 'free' }]);
    const changes = (await auditLogOf(teamId)).filter(({ action }) => action === 'billing.plan_changed');
    expect(changes.map(({ details }) => details)).toContainEqual({ from: 'removed', to: 'free' });
    expect(await subjects(owner)).toEqual([]);
  });
});

describe('mail about the plan', () => {
  test('is sent to a user once after the plan has ended', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await cancel(person.uid);
    const ids = await changeIds();
    for (const id of [...ids, ...ids]) await deliverPlanChange(app.backend, id);
    expect(await subjects(person)).toEqual(['Your plan Pro has ended']);
  });

  test('is written once if the process dies after it', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await deliverAll();
    await cancel(person.uid);
    const [id = ''] = await changeIds();
    const record = adminFirestore().doc(`planChanges/${id}`);
    const data = (await record.get()).data() ?? {};
    await deliverPlanChange(app.backend, id);
    await record.set(data);
    await deliverPlanChange(app.backend, id);
    expect(await subjects(person)).toEqual(['Your plan Pro has ended']);
  });

  test('does not go to a user who has a plan again', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await cancel(person.uid);
    await buy(app, person, 'pro');
    await deliverAll();
    expect(await subjects(person)).toEqual([]);
  });

  test('goes to the owners of a team, or to its billing address', async () => {
    const { owner, admin, teamId } = await castOf(app.url);
    await buy(app, admin, `pro?team=${teamId}`);
    await cancel(teamId);
    await deliverAll();
    expect([await subjects(owner), await subjects(admin)]).toEqual([['Your plan Pro has ended'], []]);
    const billing = { email: `${crypto.randomUUID()}@acme.example` };
    await adminFirestore().doc(`teams/${teamId}`).update({ billingEmail: billing.email });
    await buy(app, owner, `business?team=${teamId}`);
    await stripeOf(app).subscriptions.cancel(
      (await stripeOf(app).subscriptions.list({ limit: 1 })).data[0]?.id ?? '',
    );
    await settled(app);
    await deliverAll();
    expect([await subjects(owner), await subjects(billing)]).toEqual([
      ['Your plan Pro has ended'],
      ['Your plan Business has ended'],
    ]);
    expect((await mailTo(billing.email))[0]?.text).toContain(`/billing?team=${teamId}`);
  });

  test('does not go again to an owner if another owner has deleted their account meanwhile', async () => {
    const { owner, admin, outsider, teamId } = await castOf(app.url);
    await setRole(teamId, admin, 'owner');
    await addMember(teamId, outsider, 'owner');
    await buy(app, owner, `pro?team=${teamId}`);
    const notify = () =>
      notifyCustomer(app.backend, { key: teamId, customerId: teamId, itemName: 'Pro' }, planEndedMail);
    await notify();
    const owners = [owner, admin, outsider].sort((a, b) => (a.email < b.email ? -1 : 1));
    const [first, ...others] = owners as [Person, Person, Person];
    const deleted = await call('DELETE', `${app.url}/api/auth/user`, { headers: first.bearer });
    expect([deleted.status, await subjects(first)]).toEqual([204, []]);
    await notify();
    for (const other of others) expect(await subjects(other)).toEqual(['Your plan Pro has ended']);
  });

  test('does not go to an address that is not verified', async () => {
    const person = await signUp({ emailVerified: false });
    await buy(app, person, 'pro');
    await cancel(person.uid);
    await deliverAll();
    expect(await mailTo(person.email)).toEqual([]);
  });

  /** Sends an event about a subscription of a person, twice. */
  async function hear(type: string, object: object): Promise<void> {
    const event = { id: `evt_${crypto.randomUUID()}`, object: 'event', type, data: { object } };
    await deliver(app, event);
    await deliver(app, event);
  }

  test('is sent to a user once before the trial ends, unless it was cancelled', async () => {
    const [person, leaving] = [await signUp(), await signUp()];
    await buy(app, person, 'pro');
    await buy(app, leaving, 'pro');
    const cancelled = await subscriptionOf(app, leaving.uid);
    await stripeOf(app).subscriptions.update(cancelled.id, { cancel_at_period_end: true });
    await settled(app);
    await hear('customer.subscription.trial_will_end', await subscriptionOf(app, person.uid));
    await hear('customer.subscription.trial_will_end', cancelled);
    expect(await subjects(person)).toEqual([expect.stringMatching(/^Your free trial of Pro ends on /)]);
    expect(await subjects(leaving)).toEqual([]);
  });

  test.each(['cancel', 'pause'] as const)(
    'asks for a payment method before a trial ends that would %s, until there is one',
    async (trialWithoutCard) => {
      const config = { trialDays: 7, mailPlanEnded: false, mailReceipt: false };
      await using trying = await serveApp({ config: { ...config, trialWithoutCard } });
      const [without, withCard] = [await signUp(), await signUp()];
      const requests = `${trying.stripe.url}/_emulator/requests`;
      const told = async (person: Person, calls: number) => {
        const { id } = await subscriptionOf(trying, person.uid);
        const object = await stripeOf(trying).subscriptions.retrieve(id);
        const event = { id: `evt_${crypto.randomUUID()}`, object: 'event' };
        await call('DELETE', requests);
        await deliver(trying, { ...event, type: 'customer.subscription.trial_will_end', data: { object } });
        const { counts } = (await (await call('GET', requests)).json()) as { counts: object };
        // The sync makes the first call.
        expect(counts).toEqual({ 'GET /v1/subscriptions/:id': calls });
        return (await mailTo(person.email)).at(-1)?.text;
      };
      for (const person of [without, withCard]) await buy(trying, person, 'pro');
      const { customer } = await subscriptionOf(trying, withCard.uid);
      const { subscriptions, customers, paymentMethods } = stripeOf(trying);
      const card = await paymentMethods.attach('pm_card_visa', { customer: customer as string });
      await customers.update(customer as string, { invoice_settings: { default_payment_method: card.id } });
      await settled(trying);
      expect(await told(without, 2)).toContain('add a payment method before that day');
      expect(await told(withCard, 2)).toContain('the plan is charged to your payment method');
      const own = { default_payment_method: card.id };
      await subscriptions.update((await subscriptionOf(trying, withCard.uid)).id, own);
      await settled(trying);
      expect(await told(withCard, 1)).toContain('the plan is charged to your payment method');
    },
  );

  test('is sent to a user once after a payment has failed, unless it was paid in the meantime', async () => {
    await using paying = await serveApp({ config: { mailReceipt: false } });
    const person = await signUp();
    await buy(paying, person, 'pro');
    const event = await failPayment(paying, person.uid);
    await deliver(paying, event);
    const [mail, ...more] = await mailTo(person.email);
    expect([mail?.subject, more]).toEqual(['Your payment for Pro has failed', []]);
    expect(mail?.text).toContain('$12.00');
    const { object: invoice } = event.data;
    expect(mail?.text).toContain(withoutToken(invoice.hosted_invoice_url ?? ''));
    const first = { object: { ...invoice, billing_reason: 'subscription_create' } };
    await deliver(paying, { ...event, id: 'evt_first', data: first });
    await payInvoice(paying, invoice);
    await deliver(paying, { ...event, id: 'evt_late' });
    expect(await mailTo(person.email)).toHaveLength(1);
  });

  test('confirms each payment once, with the invoice, but no zero-amount invoice', async () => {
    const paying = await serveApp();
    const person = await signUp();
    await buy(paying, person, 'pro');
    await settled(paying);
    const [mail, ...more] = await mailTo(person.email);
    expect([mail?.subject, more]).toEqual([`Your receipt from ${BRAND.name}`, []]);
    const { latest_invoice: latest } = await subscriptionOf(paying, person.uid);
    const invoice = await stripeOf(paying).invoices.retrieve(
      typeof latest === 'string' ? latest : (latest?.id ?? ''),
    );
    expect(invoice.amount_paid).toBeGreaterThan(0);
    expect(mail?.text).toContain(`$${(invoice.amount_paid / 100).toFixed(2)} for Pro.`);
    expect(mail?.text).toContain(withoutToken(invoice.hosted_invoice_url ?? ''));
    const events = await stripeOf(paying).events.list({ type: 'invoice.paid' });
    const data = { object: { ...invoice, amount_paid: 0 } };
    await deliver(paying, { ...events.data[0], id: 'evt_nothing', data });
    for (const event of events.data) await deliver(paying, event);
    expect(await mailTo(person.email)).toHaveLength(1);
    await paying[Symbol.asyncDispose]();
  });

  test('is not written if it is switched off', async () => {
    const plan = { mailPlanEnded: false, mailPaymentFailed: false, mailTrialEnding: false };
    const off = { ...plan, mailReceipt: false };
    const quiet = await serveApp({ config: { trialDays: 7, ...off } });
    const person = await signUp();
    await buy(quiet, person, 'pro');
    const subscription = await subscriptionOf(quiet, person.uid);
    const type = 'customer.subscription.trial_will_end';
    await deliver(quiet, { id: 'evt_quiet', object: 'event', type, data: { object: subscription } });
    await stripeOf(quiet).subscriptions.cancel(subscription.id);
    await settled(quiet);
    for (const id of await changeIds()) await deliverPlanChange(quiet.backend, id);
    expect(await mailTo(person.email)).toEqual([]);
    await quiet[Symbol.asyncDispose]();
  });
});
