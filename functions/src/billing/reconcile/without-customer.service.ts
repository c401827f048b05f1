import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { logFault } from '../../common/log.ts';
import { DamagedDocument } from '../../firestore/damage.ts';
import { isDocumentId } from '../../firestore/document-id.ts';
import type { LostCustomer } from '../customer-rules.ts';
import {
  adoptByMetadata,
  linkStripeCustomer,
  type PayingStripeCustomer,
} from '../customers/adoption/adopt.service.ts';
import { subjectInMetadata } from '../customers/adoption/named-subject.service.ts';
import { withStripeRefusals } from '../stripe/stripe-errors.ts';
import { idOf } from '../stripe/stripe-ids.ts';
import { SUBJECT_METADATA_FIELD, type SubjectKey } from '../subject.ts';
import { estimateSubscriptionDocument } from '../subscriptions/from-stripe/subscription-document.service.ts';
import { syncAndResolveOverlaps } from '../subscriptions/overlap/overlap.service.ts';
import { isActiveOrTrialing, isRunning } from '../subscriptions/status.ts';
import { syncSubscription } from '../subscriptions/sync/sync.service.ts';

interface NamedSubject {
  customerId: string;
  /** The data of the Stripe customer that names the user or team. */
  lostCustomer: LostCustomer;
}

/** A user or team whose Stripe customer is not linked. The customer is lost, or has a document without this link. */
interface WithoutLink {
  customerId: string;
  lostCustomer?: LostCustomer;
  unlinked?: PayingStripeCustomer & SubjectKey;
}

/**
 * Finds lost customers, and customers whose document has another Stripe customer or none. Ignores customers of other
 * programs in the same Stripe account. Reads one document for each customer, and one more for each team.
 *
 * @param subscriptions at most 100, with their Stripe customers expanded. None of these Stripe customers is linked to a
 *   customer of ours
 */
export async function findCustomersWithoutLink(
  backend: Backend,
  subscriptions: readonly Stripe.Subscription[],
): Promise<Map<Stripe.Subscription, WithoutLink>> {
  const found = new Map<Stripe.Subscription, NamedSubject>();
  for (const subscription of subscriptions.filter(isRunning)) {
    const subject = namedSubjectOf(subscription.customer);
    if (subject && (await givesPlan(backend, subscription))) found.set(subscription, subject);
  }
  if (found.size === 0) return new Map();
  const subjects = [...found.values()];
  const [existing, documents] = await Promise.all([
    findExisting(backend, subjects),
    backend.db.customers.getWithDamaged(subjects.map(({ customerId }) => customerId)),
  ]);
  return new Map(
    [...found]
      .filter(([, { customerId }]) => existing.has(customerId))
      .map(([subscription, subject]) => {
        const document = documents.get(subject.customerId);
        // The sync logs the damage.
        const isLost = document === undefined || document instanceof DamagedDocument;
        return [subscription, isLost ? subject : withoutLink(subject, subscriptions)];
      }),
  );
}

function withoutLink(
  { customerId, lostCustomer: { type, stripeCustomer } }: NamedSubject,
  subscriptions: readonly Stripe.Subscription[],
): WithoutLink {
  const own = subscriptions.filter(({ customer }) => idOf(customer) === stripeCustomer.id);
  const subscriptionIds = own.map(({ id }) => id);
  return { customerId, unlinked: { type, customerId, stripeCustomer, subscriptionIds } };
}

function namedSubjectOf(customer: Stripe.Subscription['customer']): NamedSubject | undefined {
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
  subjects: readonly NamedSubject[],
): Promise<ReadonlySet<string>> {
  const idsOf = (type: LostCustomer['type']) =>
    subjects.filter(({ lostCustomer }) => lostCustomer.type === type).map(({ customerId }) => customerId);
  const [teams, { users }] = await Promise.all([
    db.teams.getWithDamaged(idsOf('team')),
    auth.getUsers([...new Set(idsOf('user'))].map((uid) => ({ uid }))),
  ]);
  return new Set([
    // A team with a damaged document exists.
    ...[...teams]
      .filter(([, team]) => team instanceof DamagedDocument || team.deletingSince === undefined)
      .map(([id]) => id),
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
 * possible, logs an error at each visit. Makes one call to Stripe, and the calls of `adoptByMetadata`. Makes none if
 * the metadata of the Stripe customer name a user or team. The Stripe customer must be expanded.
 */
export async function adoptOrReport(backend: Backend, { id, customer }: Stripe.Subscription): Promise<void> {
  const concerned = { subscriptionId: id, stripeCustomerId: idOf(customer) };
  const named = namedSubject(customer);
  if (named !== undefined) {
    logFault(
      'A subscription names a user or team that does not exist',
      { ...concerned, customerId: named.customerId },
      'If another Firebase project uses this Stripe account, give each project its own account or sandbox, and leave the subscription alone. Otherwise cancel and refund it, or set firebaseUID or teamId in the metadata of the Stripe customer to an existing user or team.',
    );
    return;
  }
  const session = await findCheckout(backend, id);
  const customerId = session && (await adoptByMetadata(backend, session));
  if (customerId !== undefined) {
    await syncAndResolveOverlaps(backend, customerId, id);
    return;
  }
  logFault(
    'A subscription belongs to nobody',
    { ...concerned, ...(session && { sessionId: session.id }) },
    'Find out who has paid. Link the checkout by `npm run admin -- billing link`, or without a checkout set firebaseUID or teamId in the metadata of the Stripe customer. Until then nobody gets the plan.',
  );
}

/**
 * Links the Stripe customer of a subscription to the user or team in its metadata, whose document has another Stripe
 * customer or none. The rule is that of a checkout: see `linkStripeCustomer`. If a subscription runs at the linked
 * Stripe customer, logs an error at each visit, and removes the copy that an earlier version has made.
 *
 * @returns true if the Stripe customer is linked
 */
export async function linkOrReport(
  backend: Backend,
  subscriptionId: string,
  { type, customerId, ...payer }: PayingStripeCustomer & SubjectKey,
): Promise<boolean> {
  if (await linkStripeCustomer(backend, { type, customerId }, payer)) return true;
  const { db } = backend;
  const linked = (await db.customers.getIntact(customerId))?.stripeId;
  logFault(
    'A subscription is at a second Stripe customer',
    {
      subscriptionId,
      stripeCustomerId: payer.stripeCustomer.id,
      customerId,
      ...(linked !== undefined && { linkedStripeCustomerId: linked }),
    },
    'End one of the two subscriptions, or create this one again at the linked Stripe customer. Until then it gives no plan.',
  );
  if (await db.subscriptions(customerId).exists(subscriptionId))
    await syncSubscription(backend, customerId, subscriptionId);
  return false;
}

/** The user or team in the metadata. Such a Stripe customer is never linked to another user or team. */
function namedSubject(customer: Stripe.Subscription['customer']): SubjectKey | undefined {
  if (typeof customer === 'string' || customer.deleted === true) return undefined;
  return subjectInMetadata(customer.metadata);
}

async function findCheckout(
  backend: Backend,
  subscription: string,
): Promise<Stripe.Checkout.Session | undefined> {
  const { checkout } = await backend.stripe();
  const { data } = await withStripeRefusals(() => checkout.sessions.list({ subscription, limit: 1 }));
  return data[0];
}
