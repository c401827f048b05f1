import type { Firestore } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import type { Caller } from '../http/caller.ts';
import { reserveCustomer, saveStripeId } from './customer.store.ts';

/** Stripe forgets idempotency keys after a day at the earliest; an hour is left for clocks that differ.
 * https://docs.stripe.com/api/idempotent_requests */
const KEY_LIFE_MS = 23 * 3_600_000;

/**
 * The caller's Stripe customer, made on first need and never twice.
 *
 * It is bound to the uid alone: an e-mail address that somebody typed in is no reason to share another's customer.
 */
export async function ensureCustomer(
  firestore: Firestore,
  stripe: Stripe,
  caller: Caller,
  now: Date,
): Promise<string> {
  const intent = { email: caller.email ?? null, name: caller.displayName ?? null };
  const reserved = await reserveCustomer(firestore, caller.uid, intent, now);
  if (reserved.stripeId !== undefined) return reserved.stripeId;
  const keyIsForgotten = now.getTime() - reserved.reservedAt.getTime() > KEY_LIFE_MS;
  const customer =
    (keyIsForgotten ? await findOrphan(stripe, caller.uid) : undefined) ??
    (await createCustomer(stripe, caller.uid, reserved));
  await saveStripeId(firestore, caller.uid, customer);
  return customer.id;
}

function createCustomer(
  stripe: Stripe,
  uid: string,
  { email, name, creationKey }: { email: string | null; name: string | null; creationKey: string },
): Promise<Stripe.Customer> {
  return stripe.customers.create(
    { metadata: { firebaseUID: uid }, ...(email !== null && { email }), ...(name !== null && { name }) },
    { idempotencyKey: `customer-${creationKey}` },
  );
}

/** A customer that was made while the process died before it could note so. Search lags by a minute, not by a day. */
async function findOrphan(stripe: Stripe, uid: string): Promise<Stripe.Customer | undefined> {
  const quoted = uid.replace(/[\\']/g, '\\$&');
  const found = await stripe.customers.search({ query: `metadata['firebaseUID']:'${quoted}'`, limit: 1 });
  return found.data[0];
}
