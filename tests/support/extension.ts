import { Timestamp } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import type { AppUnderTest } from './app.ts';
import { stripeOf } from './billing.ts';
import { adminFirestore } from './people.ts';

/**
 * Documents as the Stripe extension for Firebase writes them (`createCustomerRecord` and
 * `manageSubscriptionStatusChange` of firestore-stripe-payments 0.3).
 */

/** Writes the document of a customer. */
export async function writeExtensionCustomer(uid: string, customer: Stripe.Customer): Promise<void> {
  await adminFirestore()
    .doc(`customers/${uid}`)
    .set({
      email: customer.email,
      stripeId: customer.id,
      stripeLink: `https://dashboard.stripe.com/test/customers/${customer.id}`,
    });
}

/** Writes the document of a subscription. Its role is the `firebaseRole` in the metadata of its product. */
export async function writeExtensionSubscription(
  uid: string,
  subscription: Stripe.Subscription,
  role: string | null,
): Promise<void> {
  const [first] = subscription.items.data;
  if (first === undefined) throw new Error('The subscription has no items.');
  const productOf = ({ product }: Stripe.Price) => (typeof product === 'string' ? product : product.id);
  const products = adminFirestore().collection('products');
  const priceOf = ({ price }: Stripe.SubscriptionItem) =>
    products.doc(productOf(price)).collection('prices').doc(price.id);
  await adminFirestore()
    .doc(`customers/${uid}/subscriptions/${subscription.id}`)
    .set({
      metadata: subscription.metadata,
      role,
      status: subscription.status,
      stripeLink: `https://dashboard.stripe.com/test/subscriptions/${subscription.id}`,
      product: products.doc(productOf(first.price)),
      price: priceOf(first),
      prices: subscription.items.data.map(priceOf),
      quantity: first.quantity ?? null,
      // Its version of the SDK gives decimals as text, as JSON does.
      items: JSON.parse(JSON.stringify(subscription.items.data)) as unknown[],
      cancel_at_period_end: subscription.cancel_at_period_end,
      cancel_at: toTimestamp(subscription.cancel_at),
      canceled_at: toTimestamp(subscription.canceled_at),
      current_period_start: toTimestamp(first.current_period_start),
      current_period_end: toTimestamp(first.current_period_end),
      created: toTimestamp(subscription.created),
      ended_at: toTimestamp(subscription.ended_at),
      trial_start: toTimestamp(subscription.trial_start),
      trial_end: toTimestamp(subscription.trial_end),
    });
}

function toTimestamp(seconds: number | null): Timestamp | null {
  return seconds === null ? null : Timestamp.fromMillis(seconds * 1000);
}

/** Replaces our documents of a user by those of the extension. */
export async function moveToExtension(app: AppUnderTest, uid: string, role: string | null): Promise<void> {
  const stripe = stripeOf(app);
  const customer = adminFirestore().doc(`customers/${uid}`);
  const stripeId = (await customer.get()).get('stripeId') as string;
  await adminFirestore().recursiveDelete(customer);
  await writeExtensionCustomer(uid, (await stripe.customers.retrieve(stripeId)) as Stripe.Customer);
  const expand = ['data.items.data.price.product'];
  for (const one of (await stripe.subscriptions.list({ customer: stripeId, status: 'all', expand })).data) {
    await writeExtensionSubscription(uid, one, role);
  }
}
