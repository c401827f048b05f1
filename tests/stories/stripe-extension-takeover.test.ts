import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DocumentReference, Timestamp } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { ROOT } from '../../scripts/paths.ts';
import { findOffer } from '../../scripts/takeover/plan-finder.ts';
import type { Row } from '../../scripts/takeover/report.ts';
import { takeOverAll, takeOverCatalogue } from '../../scripts/takeover/takeover.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { claimsOf, stripeOf } from '../support/billing.ts';
import { APP_URL, STRIPE_SECRET_KEY } from '../support/config.ts';
import { meterFirestore, type MeteredFirestore } from '../support/cost.ts';
import { adminAuth, adminFirestore } from '../support/people.ts';
// Recorded from the extension's own code (0.3.12), with names in the place of ids.
import recorded from '../support/stripe-extension-documents.json' with { type: 'json' };

/**
 * A project that ran the Stripe extension. It has a Firestore of its own, because other tests have the same products.
 */
let firestore: MeteredFirestore;
let app: AppUnderTest;
let stripe: Stripe;
let ids: Record<string, string>;
beforeAll(async () => {
  firestore = await meterFirestore();
});
beforeEach(async () => {
  app = await serveApp({ webhooks: false });
  stripe = stripeOf(app);
  ids = await fillProject();
  return () => app[Symbol.asyncDispose]();
});
afterAll(() => firestore[Symbol.asyncDispose]());

const idOf = (name: string) => ids[name] ?? name;

/** Prices of the recorded subscriptions. Dan has no subscription and no account. */
const PURCHASES: Readonly<Record<string, string | undefined>> = {
  ADA: 'price_hearth_pro_month',
  BEN: 'price_hearth_business_year',
  CLEO: 'price_hearth_pro_month',
  DAN: undefined,
  EVE: 'PRICE_SPECIAL',
  FINN: 'PRICE_UNKNOWN',
};

/** Creates the objects of the recorded documents at Stripe, and writes the documents with the ids of these objects. */
async function fillProject(): Promise<Record<string, string>> {
  const recurring = { interval: 'month' } as const;
  const special = { product: 'prod_hearth_pro', currency: 'usd', unit_amount: 700, recurring };
  const { id: product } = await stripe.products.create({ name: 'Consulting' });
  const unknown = { product, currency: 'usd', unit_amount: 9000, recurring };
  const made: Record<string, string> = {
    PRICE_SPECIAL: (await stripe.prices.create(special)).id,
    PROD_UNKNOWN: product,
    PRICE_UNKNOWN: (await stripe.prices.create(unknown)).id,
  };
  for (const [name, price] of Object.entries(PURCHASES)) {
    const uid = `${name.toLowerCase()}-${randomUUID()}`;
    const email = `${uid}@example.com`;
    if (name !== 'DAN') await adminAuth().createUser({ uid, email });
    const customer = await stripe.customers.create({ email, metadata: { firebaseUID: uid } });
    Object.assign(made, { [`UID_${name}`]: uid, [`CUS_${name}`]: customer.id });
    if (price === undefined) continue;
    const { url } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: made[price] ?? price, quantity: 1 }],
      success_url: APP_URL,
    });
    await fetch(url ?? '', { method: 'POST', redirect: 'manual' });
    const [subscription] = (await stripe.subscriptions.list({ customer: customer.id })).data;
    made[`SUB_${name}`] = subscription?.id ?? '';
  }
  await stripe.subscriptions.cancel(made['SUB_CLEO'] ?? '');
  await writeDocuments(made);
  return made;
}

async function writeDocuments(made: Readonly<Record<string, string>>): Promise<void> {
  const database = adminFirestore();
  for (const collection of await database.listCollections()) await database.recursiveDelete(collection);
  const text = Object.entries(made).reduce(
    (all, [name, id]) => all.replaceAll(name, id),
    JSON.stringify(recorded),
  );
  const documents = JSON.parse(text) as Record<string, object>;
  for (const [path, data] of Object.entries(documents)) {
    await database.doc(path).create(revive(data) as object);
  }
}

/** Times and references as Firestore has them. */
function revive(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(revive);
  if ('$time' in value) return Timestamp.fromDate(new Date(String(value.$time)));
  if ('$reference' in value) return adminFirestore().doc(String(value.$reference));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, revive(inner)]));
}

/** Runs a takeover, and returns the rows with a note. */
async function takeOver({ isDryRun = false, after = '' } = {}): Promise<Row[]> {
  const offer = await findOffer(stripe, app.config.plans);
  const takeover = { backend: app.backend, firestore: adminFirestore(), stripe, offer, isDryRun };
  await takeOverCatalogue(takeover);
  const all: Row[] = [];
  for await (const { rows } of takeOverAll(takeover, after)) all.push(...rows);
  return all.filter(({ note }) => note !== undefined);
}

/** All documents, for a comparison. */
async function dump(): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const path of ['customers', 'products', 'sweeps', 'stripeEvents']) {
    for (const { ref, updateTime } of (await adminFirestore().collection(path).get()).docs) {
      all[ref.path] = String(updateTime.toMillis());
      for (const below of await ref.listCollections()) {
        for (const one of (await below.get()).docs) all[one.ref.path] = String(one.updateTime.toMillis());
      }
    }
  }
  return all;
}

const NOTES = () => [
  { customer: idOf('UID_DAN'), note: 'NOT TAKEN OVER: no such account' },
  { subscription: idOf('SUB_ADA'), plan: 'pro', note: 'the role premium becomes pro' },
  { subscription: idOf('SUB_EVE'), plan: 'pro', note: 'the role premium becomes pro' },
  { subscription: idOf('SUB_FINN'), note: `is paid for and gives no plan: ${idOf('PRICE_UNKNOWN')}` },
];

const sorted = (rows: readonly Row[]) => rows.toSorted((a, b) => a.customer.localeCompare(b.customer));

const expectNotes = (rows: readonly Row[], notes: readonly object[]) => {
  expect(rows).toHaveLength(notes.length);
  expect(rows).toEqual(expect.arrayContaining(notes.map((note) => expect.objectContaining(note) as object)));
};

test('each user who is taken over has a profile, by which the sweep of accounts finds them', async () => {
  await takeOver();
  const [taken, notTaken] = await Promise.all(
    ['UID_ADA', 'UID_DAN'].map((name) =>
      adminFirestore()
        .doc(`users/${idOf(name)}`)
        .get(),
    ),
  );
  expect(taken?.get('email')).toBe(`${idOf('UID_ADA')}@example.com`);
  expect(notTaken?.exists).toBe(false);
});

test('a dry run reports what would change, and changes nothing', async () => {
  const before = await dump();
  expectNotes(await takeOver({ isDryRun: true }), NOTES());
  expect(await dump()).toEqual(before);
  expect(await claimsOf({ uid: idOf('UID_ADA') })).toEqual({});
});

test('a takeover gives every payer the plan, by the documents and by the claims', async () => {
  expectNotes(await takeOver(), NOTES());
  const plans: Record<string, unknown> = {};
  for (const name of ['ADA', 'BEN', 'CLEO', 'EVE', 'FINN']) {
    const uid = idOf(`UID_${name}`);
    const customer = await adminFirestore().doc(`customers/${uid}`).get();
    expect(customer.data()).toMatchObject({
      type: 'user',
      stripeId: idOf(`CUS_${name}`),
      creationKey: expect.any(String) as string,
    });
    plans[name] = [customer.get('plan'), (await claimsOf({ uid }))['plan']];
  }
  expect(plans).toEqual({
    ADA: ['pro', 'pro'],
    BEN: ['business', 'business'],
    CLEO: ['free', undefined],
    EVE: ['pro', 'pro'],
    FINN: ['free', undefined],
  });
  const path = `customers/${idOf('UID_ADA')}/subscriptions/${idOf('SUB_ADA')}`;
  const copy = await adminFirestore().doc(path).get();
  expect(copy.data()).toMatchObject({ status: 'active', role: 'pro', priceId: 'price_hearth_pro_month' });
  expect(copy.get('price')).toBeInstanceOf(DocumentReference);
});

test('a takeover may be repeated, and then finds unattributed subscriptions', async () => {
  await takeOver();
  const before = await dump();
  expectNotes(
    await takeOver(),
    NOTES().filter(({ note }) => !note.startsWith('the role')),
  );
  expect(await dump()).toEqual(before);
});

test('an interrupted takeover continues behind its last customer', async () => {
  const rows = sorted(await takeOver({ after: idOf('UID_DAN') }));
  expect(rows.map(({ customer }) => customer)).toEqual([idOf('UID_EVE'), idOf('UID_FINN')]);
  expect(
    (
      await adminFirestore()
        .doc(`customers/${idOf('UID_ADA')}`)
        .get()
    ).get('type'),
  ).toBeUndefined();
});

test('a takeover copies data that the extension missed, and stores the user at the Stripe customer', async () => {
  await stripe.subscriptions.cancel(idOf('SUB_BEN'));
  await stripe.customers.update(idOf('CUS_ADA'), { metadata: { firebaseUID: '' } });
  const rows = await takeOver();
  expect(rows).toContainEqual(
    expect.objectContaining({
      subscription: idOf('SUB_BEN'),
      before: 'active',
      now: 'canceled',
      note: 'the status has changed',
    }),
  );
  expect((await claimsOf({ uid: idOf('UID_BEN') }))['plan']).toBeUndefined();
  const customer = await stripe.customers.retrieve(idOf('CUS_ADA'));
  expect(customer).toMatchObject({ metadata: { firebaseUID: idOf('UID_ADA') } });
});

test('a failure for one customer is reported, and the others are taken over', async () => {
  const subject = idOf('UID_ADA');
  const { auth } = app.backend;
  const getUser = auth.getUser.bind(auth);
  vi.spyOn(auth, 'getUser').mockImplementation((uid) =>
    uid === subject ? Promise.reject(new Error('quota exceeded')) : getUser(uid),
  );
  const rows = await takeOver();
  vi.restoreAllMocks();
  const failed = rows.filter(({ note }) => note?.startsWith('FAILED'));
  expect(failed).toEqual([
    {
      customer: subject,
      stripeCustomer: idOf('CUS_ADA'),
      note: 'FAILED, run the command again: quota exceeded',
    },
  ]);
  expect((await claimsOf({ uid: idOf('UID_EVE') }))['plan']).toBe('pro');
  await takeOver();
  expect((await claimsOf({ uid: subject }))['plan']).toBe('pro');
});

test('the command prints the table and what to do about webhooks', async () => {
  const { projectId, env } = inject('stack');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'scripts/takeover/stripe-extension.ts'), '--project', projectId, '--dry-run'],
    {
      env: {
        ...process.env,
        ...env,
        FIRESTORE_EMULATOR_HOST: process.env['FIRESTORE_EMULATOR_HOST'],
        METADATA_SERVER_DETECTION: 'none',
        APP_URL,
        MAIL_FROM: 'no-reply@hearth.example',
        STRIPE_SECRET_KEY,
        STRIPE_API_URL: app.stripe.url,
      },
    },
  );
  expect(stdout).toContain('NOT TAKEN OVER: no such account');
  // The command has the plans of the project, so a subscription to a sample plan may need a look as well.
  const noted = stdout.split('\n').filter((line) => line.includes('  cus_')).length;
  expect(stdout).toContain(`6 customers with 5 subscriptions would be taken over; ${noted} need a look.`);
  expect(stdout).toContain('webhook endpoint');
});
