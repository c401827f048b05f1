import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { isDocumentId } from '../../../firestore/document-id.ts';
import type { LostCustomer } from '../../customer-rules.ts';
import { SUBJECT_METADATA } from '../../subject.ts';
import { isRunning } from '../../subscriptions/status.ts';
import { makeSubscriptionDocument } from '../../subscriptions/subscription-document.ts';

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
    const subject = subjectInMetadata(subscription.customer);
    if (subject && (await paysForPlan(backend, subscription))) lost.set(subscription, subject);
  }
  if (lost.size === 0) return lost;
  const existing = await findExisting(backend, [...lost.values()]);
  return new Map([...lost].filter(([, { customerId }]) => existing.has(customerId)));
}

async function paysForPlan(
  { config, db, now }: Backend,
  subscription: Stripe.Subscription,
): Promise<boolean> {
  const { role } = await makeSubscriptionDocument(db, { ...config, now: now() }, subscription);
  return role !== null;
}

function subjectInMetadata(customer: Stripe.Subscription['customer']): LostSubject | undefined {
  if (typeof customer === 'string' || customer.deleted === true) return undefined;
  const { email, name = null, metadata } = customer;
  for (const type of ['team', 'user'] as const) {
    const customerId = metadata[SUBJECT_METADATA[type]];
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
    db.teams.getIntact(idsOf('team')),
    auth.getUsers([...new Set(idsOf('user'))].map((uid) => ({ uid }))),
  ]);
  return new Set([
    ...[...teams].filter(([, { deletingSince }]) => deletingSince === undefined).map(([id]) => id),
    ...users.map(({ uid }) => uid),
  ]);
}
