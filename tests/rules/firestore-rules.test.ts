import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  assertFails,
  assertSucceeds,
  initializeTestEnvironment,
  type RulesTestEnvironment,
  type TokenOptions,
} from '@firebase/rules-unit-testing';
import {
  collection,
  collectionGroup,
  deleteDoc,
  doc,
  getDoc,
  getDocs,
  query,
  setDoc,
  updateDoc,
  where,
  type Firestore,
  type Query,
} from 'firebase/firestore';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { SAMPLE_OFFERED } from '../../functions/src/testing/sample-plans.ts';
import { RULES_FILE, withPlanTables } from '../../scripts/plan-tables.ts';
import { ACTORS, EVERYBODY, SIGNED_IN, uidOf, type Actor } from './actors.ts';
import { DOCUMENTS, QUERIES, READERS, type QueryCase } from './documents.ts';

let environment: RulesTestEnvironment;
let clients: Record<Actor, Firestore>;

beforeAll(async () => {
  environment = await initializeTestEnvironment({
    projectId: 'demo-hearth-rules',
    firestore: {
      host: '127.0.0.1',
      port: inject('stack').ports.firestore,
      // The documents name the sample plans, whatever plans the project has.
      rules: withPlanTables(readFileSync(RULES_FILE, 'utf8'), SAMPLE_OFFERED),
    },
  });
  await environment.withSecurityRulesDisabled(async (context) => {
    const firestore = context.firestore() as unknown as Firestore;
    await Promise.all(Object.entries(DOCUMENTS).map(([path, data]) => setDoc(doc(firestore, path), data)));
  });
  clients = Object.fromEntries(EVERYBODY.map((actor) => [actor, clientOf(actor)])) as Record<
    Actor,
    Firestore
  >;
});
afterAll(() => environment.cleanup());

function clientOf(actor: Actor): Firestore {
  const token = ACTORS[actor];
  const context =
    token === null
      ? environment.unauthenticatedContext()
      : environment.authenticatedContext(uidOf(actor), token);
  // The types of the compatibility API, of which the modular functions take the objects as well.
  return context.firestore() as unknown as Firestore;
}

/** Tries every actor: a row of the table is one test. */
async function expectAllowed(
  allowed: readonly Actor[],
  operation: (client: Firestore, actor: Actor) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    EVERYBODY.map(async (actor) => {
      const attempt = operation(clients[actor], actor);
      const expectation = allowed.includes(actor) ? assertSucceeds(attempt) : assertFails(attempt);
      await expectation.catch((error: unknown) => {
        throw new Error(`${actor}: ${String(error)}`);
      });
    }),
  );
}

describe('a document is read by its readers, and written by nobody', () => {
  test.each(Object.keys(DOCUMENTS))('%s', async (path) => {
    await expectAllowed(READERS[path] ?? [], (client) => getDoc(doc(client, path)));
    await expectAllowed([], (client) => setDoc(doc(client, path), { replaced: true }));
    await expectAllowed([], (client) => setDoc(doc(client, `${path}-new`), { created: true }));
    await expectAllowed([], (client) => updateDoc(doc(client, path), { role: 'owner' }));
    await expectAllowed([], (client) => deleteDoc(doc(client, path)));
  });
});

describe('a query is answered to readers of everything it could find', () => {
  test.each(QUERIES)('$name', async (queryCase) => {
    await expectAllowed(queryCase.allowed, (client, actor) => getDocs(build(client, queryCase, actor)));
  });
});

test('a signed-in user may listen to an upload record that does not exist yet', async () => {
  await expectAllowed(SIGNED_IN, (client) => getDoc(doc(client, 'uploads/notYet')));
});

describe('a profile is changed by its user alone', () => {
  test.each([
    ['the name', { displayName: 'New name' }],
    ['the picture', { photoURL: 'https://example.com/me.png' }],
    ['the active team', { activeTeamId: 'acme' }],
    ['the name away', { displayName: null }],
  ])('%s', async (_what, change) => {
    await expectAllowed(['member'], (client) => updateDoc(doc(client, 'users/member'), change));
  });

  test.each([
    ['the e-mail address', { email: 'owner@example.com' }],
    ['a name that is no text', { displayName: { first: 'x' } }],
    ['a name without end', { displayName: 'x'.repeat(101) }],
    ['a field of their own', { admin: true }],
    ['the name and another field', { displayName: 'x', createdAt: 0 }],
  ])('but never %s', async (_what, change) => {
    await expectAllowed([], (client) => updateDoc(doc(client, 'users/member'), change));
  });
});

test('the pending invitations to an address are listed by its user', async () => {
  const pendingTo = (client: Firestore, email: string) =>
    getDocs(
      query(collection(client, 'invitations'), where('email', '==', email), where('status', '==', 'pending')),
    );
  await expectAllowed(['invitee'], (client) => pendingTo(client, 'invitee@example.com'));
});

describe('a user of a tenant', () => {
  const firebase = { sign_in_provider: 'custom', tenant: 'customer-abc' };
  const userOfTenant = (uid: string) =>
    environment
      .authenticatedContext(uid, {
        email: 'invitee@example.com',
        email_verified: true,
        firebase,
      } as TokenOptions)
      .firestore() as unknown as Firestore;

  test('reads nothing of the user with the same uid', async () => {
    await assertFails(getDoc(doc(userOfTenant('member'), 'users/member')));
    await assertFails(getDoc(doc(userOfTenant('member'), 'teams/acme')));
  });

  test('reads no invitation to the same address', async () => {
    const received = collection(userOfTenant('visitor'), 'invitations');
    const pending = where('status', '==', 'pending');
    await assertFails(getDocs(query(received, where('email', '==', 'invitee@example.com'), pending)));
  });
});

describe('a checkout session', () => {
  const path = (uid: string) => `customers/${uid}/checkout_sessions/${randomUUID()}`;
  const REQUEST = {
    mode: 'subscription',
    price: 'price_1',
    success_url: 'https://app.example.com/',
    cancel_url: 'https://app.example.com/',
  };

  test.each<[what: string, more: object]>([
    ['nothing else', {}],
    ['other fields of the extension', { allow_promotion_codes: true, metadata: { campaign: 'spring' } }],
    ['a list of items', { line_items: [{ price: 'price_1', quantity: 2 }] }],
  ])('is created by its user, with %s', async (_what, more) => {
    await expectAllowed(['member'], (client) => setDoc(doc(client, path('member')), { ...REQUEST, ...more }));
  });

  test('is not created by an anonymous account', async () => {
    const client = environment
      .authenticatedContext('visitor', { firebase: { sign_in_provider: 'anonymous' } })
      .firestore() as unknown as Firestore;
    await assertFails(setDoc(doc(client, path('visitor')), REQUEST));
  });

  test('is not created below a team', async () => {
    await expectAllowed([], (client) => setDoc(doc(client, path('acme')), REQUEST));
  });

  test.each<[what: string, more: object]>([
    ['an answer', { url: 'https://phishing.example/' }],
    ['the id of a session', { sessionId: 'cs_1' }],
    ['an error', { error: { message: '' } }],
    ['a time of deletion', { deleteAt: new Date('2999-01-01') }],
    ['a field that the extension does not have', { admin: true }],
    ['an unknown mode', { mode: 'gift' }],
    ['a price that is no text', { price: { id: 'price_1' } }],
    ['an address without end', { success_url: `https://app.example.com/${'x'.repeat(2048)}` }],
    ['items that are no list', { line_items: 'price_1' }],
    ['more items than fit', { line_items: Array(21).fill({ price: 'price_1' }) }],
  ])('is not created with %s', async (_what, more) => {
    await expectAllowed([], (client) => setDoc(doc(client, path('member')), { ...REQUEST, ...more }));
  });
});

function build(
  client: Firestore,
  { collection: path, group, where: filter }: QueryCase,
  actor: Actor,
): Query {
  const from = group === true ? collectionGroup(client, path) : collection(client, path);
  if (filter === undefined) return from;
  const [field, value] = filter;
  return query(from, where(field, '==', ownValue(value, actor)));
}

function ownValue(value: string, actor: Actor): string {
  if (value === 'uid') return uidOf(actor);
  if (value === 'email') return ACTORS[actor]?.email.toLowerCase() ?? 'nobody';
  return value;
}
