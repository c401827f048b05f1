import { randomBytes } from 'node:crypto';
import { getStripePayments, type StripePayments } from '@invertase/firestore-stripe-payments';
import { deleteApp, initializeApp } from 'firebase/app';
import { connectAuthEmulator, getAuth, signInWithEmailAndPassword } from 'firebase/auth';
import { connectFirestoreEmulator, getFirestore } from 'firebase/firestore';
import { inject, onTestFinished } from 'vitest';
import { createCheckoutHandler } from '../../functions/src/billing/extension/checkout-sessions.service.ts';
import type { AppUnderTest } from './app.ts';
import { adminFirestore, type Person } from './people.ts';

/** The web SDK of the Stripe extension, signed in as a person, under the security rules. */
export async function extensionClientOf(
  { email, password }: Pick<Person, 'email' | 'password'>,
  { projectId, ports }: { projectId: string; ports: { auth: number; firestore: number } } = inject('stack'),
): Promise<StripePayments> {
  const app = initializeApp({ projectId, apiKey: 'test' }, randomBytes(8).toString('hex'));
  onTestFinished(() => deleteApp(app));
  const auth = getAuth(app);
  connectAuthEmulator(auth, `http://127.0.0.1:${ports.auth}`, { disableWarnings: true });
  connectFirestoreEmulator(getFirestore(app), '127.0.0.1', ports.firestore);
  await signInWithEmailAndPassword(auth, email, password);
  return getStripePayments(app, { customersCollection: 'customers', productsCollection: 'products' });
}

/** Calls the handler of `createCheckoutSession` for each new checkout session of a person, as Eventarc does. */
export function answerCheckouts({ backend }: Pick<AppUnderTest, 'backend'>, { uid }: Person): void {
  const answer = createCheckoutHandler(backend);
  const created = adminFirestore().collection(`customers/${uid}/checkout_sessions`);
  const unsubscribe = created.onSnapshot((snapshot) => {
    for (const { type, doc } of snapshot.docChanges()) if (type === 'added') void answer(uid, doc.id);
  });
  onTestFinished(unsubscribe);
}
