import { afterAll, beforeAll, expect, test } from 'vitest';
import { BILLING_EXPORT } from '../functions/src/billing/customers/export-parts.store.ts';
import { createCheckoutHandler } from '../functions/src/billing/extension/checkout-sessions.service.ts';
import { countCosts, noCosts } from '../functions/src/common/costs.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { adminFirestore, signUp } from './support/people.ts';

/** Documents in `checkout_sessions` that are larger than the security rules allow, such as those of another program. */
let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const sessionsOf = (uid: string) => adminFirestore().collection(`customers/${uid}/checkout_sessions`);

/** With the name of the document and of the fields, some bytes below the 1,048,576 bytes of the largest document. */
const FILLED = { price: 'price_1', metadata: 'x'.repeat(1_048_400) };

test('a document without room for an answer has nothing but the answer afterwards, and is deleted by TTL', async () => {
  const { uid } = await signUp();
  await sessionsOf(uid).doc('full').create(FILLED);
  await createCheckoutHandler(app.backend)(uid, 'full');
  const answered = (await sessionsOf(uid).doc('full').get()).data() ?? {};
  expect(Object.keys(answered).sort()).toEqual(['deleteAt', 'error']);
  expect(answered['error']).toEqual({ message: expect.any(String) as string });
});

test('an answer that cannot be written for another reason leaves the document as it is, for the next event', async () => {
  const { uid } = await signUp();
  await sessionsOf(uid).doc('one').create({ price: 'price_1' });
  const failing = { ...app.backend, now: () => new Date(Number.NaN) };
  await expect(createCheckoutHandler(failing)(uid, 'one')).rejects.toThrow();
  expect((await sessionsOf(uid).doc('one').get()).data()).toEqual({ price: 'price_1' });
});

test('an export reads ten of these documents at a time', async () => {
  const { uid } = await signUp();
  await Promise.all(Array.from({ length: 12 }, () => sessionsOf(uid).add({ price: 'price_1' })));
  const { checkoutSessions } = BILLING_EXPORT;
  if (checkoutSessions === undefined || !('many' in checkoutSessions)) throw new Error('There is no list.');
  const list = checkoutSessions.many(app.backend.db, { uid, verifiedEmail: undefined });
  const costs = noCosts();
  const iterator = list[Symbol.asyncIterator]();
  await countCosts(costs, () => iterator.next());
  expect(costs.reads).toBe(10);
  let items = 1;
  while ((await iterator.next()).done !== true) items += 1;
  expect(items).toBe(12);
});
