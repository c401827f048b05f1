import { readFileSync } from 'node:fs';
import {
  assertFails,
  assertSucceeds,
  initializeTestEnvironment,
  type RulesTestEnvironment,
} from '@firebase/rules-unit-testing';
import {
  collectionGroup,
  doc,
  getDoc,
  getDocs,
  query,
  setDoc,
  updateDoc,
  where,
  type Firestore,
} from 'firebase/firestore';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';

const SOON = Math.floor(Date.now() / 1000) + 600;

let environment: RulesTestEnvironment;
beforeAll(async () => {
  environment = await initializeTestEnvironment({
    projectId: 'demo-hearth-impersonation',
    firestore: {
      host: '127.0.0.1',
      port: inject('stack').ports.firestore,
      rules: readFileSync(new URL('../../firestore.rules', import.meta.url), 'utf8'),
    },
  });
  await environment.withSecurityRulesDisabled(async (context) => {
    const firestore = context.firestore() as unknown as Firestore;
    await setDoc(doc(firestore, 'users/ada'), { email: 'ada@example.com' });
    await setDoc(doc(firestore, 'users/operator'), { email: 'operator@example.com' });
    await setDoc(doc(firestore, 'teams/acme'), { name: 'Acme' });
    await setDoc(doc(firestore, 'teams/acme/members/ada'), { uid: 'ada', role: 'member' });
    await setDoc(doc(firestore, 'invitations/one'), {
      email: 'operator@example.com',
      teamId: 'other',
      status: 'pending',
    });
  });
});
afterAll(() => environment.cleanup());

/** An operator with a token that names Ada. */
function operator(token: object = {}): Firestore {
  const context = environment.authenticatedContext('operator', {
    admin: true,
    email: 'operator@example.com',
    email_verified: true,
    impersonation: { uid: 'ada', until: SOON },
    ...token,
  });
  return context.firestore() as unknown as Firestore;
}

const memberships = (firestore: Firestore, uid: string) =>
  getDocs(query(collectionGroup(firestore, 'members'), where('uid', '==', uid)));

describe('an impersonating operator', () => {
  test('reads as the user, and not as themselves', async () => {
    const firestore = operator();
    await assertSucceeds(getDoc(doc(firestore, 'users/ada')));
    await assertSucceeds(getDoc(doc(firestore, 'teams/acme')));
    await assertSucceeds(memberships(firestore, 'ada'));
    await assertFails(getDoc(doc(firestore, 'users/operator')));
    await assertFails(memberships(firestore, 'operator'));
    await assertFails(getDoc(doc(firestore, 'invitations/one')));
  });

  test('writes nothing', async () => {
    const firestore = operator();
    await assertFails(updateDoc(doc(firestore, 'users/ada'), { displayName: 'x' }));
    await assertFails(updateDoc(doc(firestore, 'users/operator'), { displayName: 'x' }));
    const session = { mode: 'subscription', price: 'price_1' };
    await assertFails(setDoc(doc(firestore, 'customers/ada/checkout_sessions/one'), session));
  });

  test.each([
    ['after its end', { impersonation: { uid: 'ada', until: SOON - 1_200 } }],
    ['without the claim of operators', { admin: false }],
  ])('reads nothing %s', async (_when, token) => {
    await assertFails(getDoc(doc(operator(token), 'users/ada')));
    await assertFails(getDoc(doc(operator(token), 'users/operator')));
  });
});
