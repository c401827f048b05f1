import type { Firestore } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import type { Config } from '../../settings/config.ts';
import { isDocumentId } from '../../firestore/documents.ts';
import type { Backend } from '../../backend.ts';
import { isBeingDeleted, teamsById } from '../../teams/team.store.ts';
import type { LostCustomer } from '../customers/customer.store.ts';
import { readKeptKeys } from '../subscriptions/price-keys.ts';
import { markOf } from '../customers/subject.ts';
import { isOfPlan, isRunning, toItems } from '../subscriptions/subscription.ts';

interface LostOwner {
  customerId: string;
  lost: LostCustomer;
}

/**
 * Who pays for subscriptions of our plans without our knowing: their document is missing, as after an older backup was
 * restored. Customers of something else in the same Stripe account, and of who is gone, are left alone.
 *
 * @param subscriptions with their customers, of which none is known; at most 100
 */
export async function findLostOwners(
  backend: Backend,
  subscriptions: readonly Stripe.Subscription[],
): Promise<Map<Stripe.Subscription, LostOwner>> {
  const { config } = backend;
  const firestore = await backend.firestore();
  const marked = new Map<Stripe.Subscription, LostOwner>();
  for (const subscription of subscriptions.filter(isRunning)) {
    const owner = markedOwner(subscription.customer);
    if (owner && (await givesPlan(firestore, config, subscription))) marked.set(subscription, owner);
  }
  if (marked.size === 0) return marked;
  const there = await whoIsThere(backend, firestore, [...marked.values()]);
  return new Map([...marked].filter(([, { customerId }]) => there.has(customerId)));
}

async function givesPlan(
  firestore: Firestore,
  { plans }: Config,
  subscription: Stripe.Subscription,
): Promise<boolean> {
  const kept = await readKeptKeys(firestore, plans, subscription, undefined);
  return toItems(subscription, plans, kept).some((item) => isOfPlan(item, plans));
}

function markedOwner(customer: Stripe.Subscription['customer']): LostOwner | undefined {
  if (typeof customer === 'string' || customer.deleted === true) return undefined;
  for (const type of ['team', 'user'] as const) {
    const customerId = customer.metadata[markOf({ type })];
    const { email, name = null } = customer;
    if (customerId !== undefined && isDocumentId(customerId))
      return { customerId, lost: { type, email, name, stripeCustomer: customer } };
  }
  return undefined;
}

async function whoIsThere(
  { auth }: Backend,
  firestore: Firestore,
  owners: readonly LostOwner[],
): Promise<ReadonlySet<string>> {
  const idsOf = (type: LostCustomer['type']) => [
    ...new Set(owners.filter(({ lost }) => lost.type === type).map(({ customerId }) => customerId)),
  ];
  const [teams, { users }] = await Promise.all([
    teamsById(firestore, idsOf('team')),
    auth.getUsers(idsOf('user').map((uid) => ({ uid }))),
  ]);
  return new Set([
    ...teams.filter(({ team }) => !isBeingDeleted(team)).map(({ id }) => id),
    ...users.map(({ uid }) => uid),
  ]);
}
