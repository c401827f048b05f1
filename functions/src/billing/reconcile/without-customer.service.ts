import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { logFault } from '../../common/log.ts';
import { isDocumentId } from '../../firestore/document-id.ts';
import type { LostCustomer } from '../customer-rules.ts';
import { adoptByMetadata } from '../customers/adoption/adopt.service.ts';
import { subjectInMetadata } from '../customers/adoption/named-subject.service.ts';
import { withStripeRefusals } from '../stripe/stripe-errors.ts';
import { idOf } from '../stripe/stripe-ids.ts';
import { SUBJECT_METADATA_FIELD } from '../subject.ts';
import { estimateSubscriptionDocument } from '../subscriptions/from-stripe/subscription-document.service.ts';
import { syncAndResolveOverlaps } from '../subscriptions/overlap/overlap.service.ts';
import { isActiveOrTrialing, isRunning } from '../subscriptions/status.ts';

interface LostSubject {
  customerId: string;
  lostCustomer: LostCustomer;
}

/**
 * Finds lost customers. Ignores customers of other programs in the same Stripe account.
 *
 * @param subscriptions at most 100, with their Stripe customers expanded. None of these Stripe customers is linked to a
 *   customer of ours
 */
export async function findLostCustomers(
  backend: Backend,
  subscriptions: readonly Stripe.Subscription[],
): Promise<Map<Stripe.Subscription, LostSubject>> {
  const lost = new Map<Stripe.Subscription, LostSubject>();
  for (const subscription of subscriptions.filter(isRunning)) {
    const subject = lostSubjectOf(subscription.customer);
    if (subject && (await givesPlan(backend, subscription))) lost.set(subscription, subject);
  }
  if (lost.size === 0) return lost;
  const existing = await findExisting(backend, [...lost.values()]);
  return new Map([...lost].filter(([, { customerId }]) => existing.has(customerId)));
}

function lostSubjectOf(customer: Stripe.Subscription['customer']): LostSubject | undefined {
  if (typeof customer === 'string' || customer.deleted === true) return undefined;
  const { email, name = null, metadata } = customer;
  for (const type of ['team', 'user'] as const) {
    const customerId = metadata[SUBJECT_METADATA_FIELD[type]];
    if (isDocumentId(customerId)) {
      return { customerId, lostCustomer: { type, email, name, stripeCustomer: customer } };
    }
  }
  return undefined;
}

/** Leaves out teams that are being deleted. */
async function findExisting(
  { auth, db }: Backend,
  subjects: readonly LostSubject[],
): Promise<ReadonlySet<string>> {
  const idsOf = (type: LostCustomer['type']) =>
    subjects.filter(({ lostCustomer }) => lostCustomer.type === type).map(({ customerId }) => customerId);
  const [teams, { users }] = await Promise.all([
    db.teams.getAllIntact(idsOf('team')),
    auth.getUsers([...new Set(idsOf('user'))].map((uid) => ({ uid }))),
  ]);
  return new Set([
    ...[...teams].filter(([, { deletingSince }]) => deletingSince === undefined).map(([id]) => id),
    ...users.map(({ uid }) => uid),
  ]);
}

/**
 * Finds subscriptions to our plans that are paid and give nobody a plan.
 *
 * @param withoutCustomer subscriptions whose Stripe customer belongs to none of our customers
 */
export async function findUnattributed(
  backend: Backend,
  withoutCustomer: readonly Stripe.Subscription[],
): Promise<Stripe.Subscription[]> {
  const found: Stripe.Subscription[] = [];
  for (const subscription of withoutCustomer.filter(isActiveOrTrialing)) {
    if (await givesPlan(backend, subscription)) found.push(subscription);
  }
  return found;
}

/** True if a subscription is to one of our plans. */
async function givesPlan({ config, db, now }: Backend, subscription: Stripe.Subscription): Promise<boolean> {
  const { role } = await estimateSubscriptionDocument(db, { ...config, now: now() }, subscription);
  return role !== null;
}

/**
 * Links the Stripe customer of a subscription to the user or team in the metadata of the checkout. If that is not
 * possible, logs an error at each visit. Makes one call to Stripe, and the calls of `adoptByMetadata`. The Stripe
 * customer must be expanded.
 */
export async function adoptOrReport(backend: Backend, { id, customer }: Stripe.Subscription): Promise<void> {
  const session = namesSubject(customer) ? undefined : await findCheckout(backend, id);
  const customerId = session && (await adoptByMetadata(backend, session));
  if (customerId !== undefined) {
    await syncAndResolveOverlaps(backend, customerId, id);
    return;
  }
  const concerned = { subscription: id, stripeCustomer: idOf(customer) };
  logFault(
    'A subscription belongs to nobody',
    { ...concerned, ...(session && { session: session.id }) },
    'Find out who has paid. Link the checkout by `npm run admin -- billing link`, or without a checkout set firebaseUID or teamId in the metadata of the Stripe customer. Until then nobody gets the plan.',
  );
}

/** True if the metadata name a user or team. Such a Stripe customer is never linked to another user or team. */
function namesSubject(customer: Stripe.Subscription['customer']): boolean {
  if (typeof customer === 'string' || customer.deleted === true) return false;
  return subjectInMetadata(customer.metadata) !== undefined;
}

async function findCheckout(
  backend: Backend,
  subscription: string,
): Promise<Stripe.Checkout.Session | undefined> {
  const { checkout } = await backend.stripe();
  const { data } = await withStripeRefusals(() => checkout.sessions.list({ subscription, limit: 1 }));
  return data[0];
}
