import { beforeAll, describe, expect, test } from 'vitest';
import { trialIdOf } from '../functions/src/billing/subscriptions/trials/trial.store.ts';
import { newRecipientRecord, recipientIdOf } from '../functions/src/mail/recipient.ts';
import { loadHashFunction } from '../functions/src/personal-data/keyed-hash.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { operatorApi, signUpOperator, bodyOf } from './support/operators.ts';
import { adminFirestore, signUp } from './support/people.ts';
import { useResources } from './support/resources.ts';
import { castOf, inviteTo, setSeatLimit } from './support/teams.ts';

/** A one-time purchase. */
const PURCHASE = {
  status: 'paid',
  item: 'lifetime',
  lookupKey: 'hearth_lifetime',
  credits: null,
  priceId: 'price_1',
  quantity: 1,
  stripeReturnUrls: { success: 'https://app.example.com/', cancel: 'https://app.example.com/' },
  sessionId: 'cs_1',
  paymentIntentId: 'pi_1',
  amount: 9900,
  currency: 'usd',
  createdAt: new Date('2026-05-01T10:00:00Z'),
  paidAt: new Date('2026-05-01T10:00:00Z'),
  refundedAt: null,
  checkAt: null,
};

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  app = resources.use(await serveApp());
});

const ask = operatorApi(() => app);

describe('an address without an account', () => {
  test('has its invitations, its mail and the choice of its owner', async () => {
    const operator = await signUpOperator();
    const { teamId, owner } = await castOf(app.url);
    await setSeatLimit(teamId, 10);
    const address = `${crypto.randomUUID()}@example.com`;
    const { id } = await inviteTo(app.url, owner, teamId, address);
    const found = await bodyOf(await ask(operator, 'GET', `/invitations?email=${address.toUpperCase()}`));
    expect(found).toMatchObject({ invitations: [{ id, email: address, status: 'pending' }] });
    const mail = await bodyOf(await ask(operator, 'GET', `/mail?email=${address}`));
    expect(mail).toMatchObject({
      mail: [{ state: 'PENDING' }],
      mailRecipient: { optedOutAt: null, count: 1 },
    });
    expect(JSON.stringify([found, mail])).not.toMatch(/secretHash|"token"/);
  });

  test('that nobody has mailed has nothing', async () => {
    const operator = await signUpOperator();
    const query = `?email=${crypto.randomUUID()}@example.com`;
    expect(await bodyOf(await ask(operator, 'GET', `/invitations${query}`))).toEqual({ invitations: [] });
    expect(await bodyOf(await ask(operator, 'GET', `/mail${query}`))).toEqual({
      mail: [],
      mailRecipient: null,
    });
  });

  test.each(['/invitations', '/mail', '/invitations?email=nobody', '/mail?email=nobody'])(
    'must be an address: %s',
    async (path) => {
      expect((await ask(await signUpOperator(), 'GET', path)).status).toBe(400);
    },
  );
});

test.each(['@acme.com', 'ada@', 'a@b@c', 'ada@example.com@'])(
  'the search for "%s" finds nothing',
  async (text) => {
    const found = await ask(await signUpOperator(), 'GET', `/search?text=${encodeURIComponent(text)}`);
    expect(await bodyOf(found)).toEqual({ users: [], teams: [] });
  },
);

test('the description of a user has devices, trials, one-time purchases and the choice about mail', async () => {
  const [operator, person] = await Promise.all([signUpOperator(), signUp()]);
  const { uid, email } = person;
  const at = new Date('2026-05-01T10:00:00Z');
  const firestore = adminFirestore();
  const device = { uid, token: 'secret-token', sessionId: null, seenAt: at, deleteAt: at };
  const hash = await loadHashFunction(app.backend.db, at);
  const trial = { customerId: uid, reservedAt: at, usedAt: at };
  await Promise.all([
    firestore.doc(`devices/${uid}`).set(device),
    firestore.doc(`trials/${uid}`).set({ ...trial, addressId: trialIdOf(hash, email) }),
    firestore.doc(`trials/${trialIdOf(hash, email)}`).set(trial),
    firestore.doc(`customers/${uid}/purchases/p1`).set(PURCHASE),
    firestore
      .doc(`mailRecipients/${recipientIdOf(email)}`)
      .set({ ...newRecipientRecord(at), optedOutAt: at }),
  ]);
  const body = await bodyOf(await ask(operator, 'GET', `/users/${uid}`));
  expect(body).toMatchObject({
    devices: [{ id: uid, seenAt: at.toISOString() }],
    trials: [
      { of: 'account', usedAt: at.toISOString() },
      { of: 'address', usedAt: at.toISOString() },
    ],
    purchases: [{ id: 'p1', item: 'lifetime', status: 'paid' }],
    mailRecipient: { optedOutAt: at.toISOString(), count: 0 },
  });
  expect(JSON.stringify(body)).not.toMatch(/secret-token|"token"|address:/);
});
