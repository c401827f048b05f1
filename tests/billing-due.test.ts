import { beforeAll, beforeEach, expect, test } from 'vitest';
import { COMP_ID } from '../functions/src/billing/grants/comp.service.ts';
import { reconcileBilling } from '../functions/src/billing/reconcile/reconcile.service.ts';
import { grantDocument } from '../functions/src/billing/subscriptions/granted-plan.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { meterFirestore } from './support/cost.ts';
import { adminFirestore } from './support/people.ts';
import { useResources } from './support/resources.ts';

/** Purchases and granted plans whose date has passed, more than one page of them. */

const MORE_THAN_A_PAGE = 120;

const PURCHASE = {
  status: 'open',
  item: 'hundred',
  lookupKey: 'hearth_hundred',
  credits: 100,
  priceId: 'price_hearth_hundred',
  quantity: 1,
  stripeReturnUrls: { success: 'https://app.example/s', cancel: 'https://app.example/c' },
  sessionId: null,
  paymentIntentId: null,
  amount: null,
  currency: null,
  createdAt: new Date(),
  paidAt: null,
  refundedAt: null,
};

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  // Own Firestore, because the reconciliation visits everything in it.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp({ webhooks: false }));
});
beforeEach(async () => {
  const { docs } = await adminFirestore().collectionGroup('purchases').get();
  for (const { ref } of docs) await ref.delete();
});

interface Due {
  count: number;
  checkAt: Date;
  /** False for purchases that cannot be checked, because their customers cannot be read. */
  isIntact?: boolean;
}

async function storeDue(name: string, { count, checkAt, isIntact = true }: Due): Promise<void> {
  const writer = adminFirestore().bulkWriter();
  const customer = { type: 'user', email: null, name: null, creationKey: 'key', creationKeyAt: new Date() };
  for (let index = 0; index < count; index += 1) {
    const ref = adminFirestore().doc(`customers/${name}-${index}`);
    void writer.set(ref, { ...customer, ...(!isIntact && { creationKeyAt: 'yesterday' }) });
    void writer.set(ref.collection('purchases').doc(`${name}-${index}`), { ...PURCHASE, checkAt });
  }
  await writer.close();
}

/** The number of purchases that are still due. A purchase without a session is deleted by its check. */
async function countDue(name: string): Promise<number> {
  const { docs } = await adminFirestore().collectionGroup('purchases').get();
  return docs.filter(({ id }) => id.startsWith(name)).length;
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

test('a run checks all purchases that are due', async () => {
  await storeDue('new', { count: MORE_THAN_A_PAGE, checkAt: hoursAgo(1) });
  await storeDue('old', { count: 5, checkAt: hoursAgo(10) });
  await reconcileBilling(app.backend);
  expect([await countDue('new'), await countDue('old')]).toEqual([0, 0]);
});

test('purchases that cannot be checked do not hinder older ones', async () => {
  await storeDue('damaged', { count: MORE_THAN_A_PAGE, checkAt: hoursAgo(1), isIntact: false });
  await storeDue('old', { count: 5, checkAt: hoursAgo(10) });
  await reconcileBilling(app.backend);
  expect([await countDue('damaged'), await countDue('old')]).toEqual([MORE_THAN_A_PAGE, 0]);
});

test('purchases take a part of the calls of a run, and the rest is for other lists', async () => {
  await storeDue('many', { count: 450, checkAt: hoursAgo(1) });
  await reconcileBilling(app.backend);
  expect(await countDue('many')).toBe(50);
  await reconcileBilling(app.backend);
  expect(await countDue('many')).toBe(0);
});

test('a run ends all granted plans whose date has passed', async () => {
  const writer = adminFirestore().bulkWriter();
  const customer = { type: 'user', email: null, name: null, creationKey: 'key', creationKeyAt: new Date() };
  for (let index = 0; index < MORE_THAN_A_PAGE; index += 1) {
    const ref = adminFirestore().doc(`customers/granted-${index}`);
    void writer.set(ref, customer);
    const comp = grantDocument({ planSlug: 'pro', until: hoursAgo(1) }, hoursAgo(2));
    void writer.set(ref.collection('subscriptions').doc(COMP_ID), comp);
  }
  await writer.close();
  await reconcileBilling(app.backend);
  const { size } = await adminFirestore().collectionGroup('subscriptions').get();
  expect(size).toBe(0);
});
