import type Stripe from 'stripe';
import type { Config } from '../config.ts';
import { planOfLookupKey } from '../plans.ts';
import type { Services } from '../services.ts';
import { isBeingDeleted, teamsById } from '../teams/team.store.ts';
import type { LostCustomer } from './customer.store.ts';
import { markOf } from './subject.ts';
import { isRunning } from './subscription.ts';

/** What may be a uid or the id of a team: the metadata may be somebody else's. */
const ID = /^[^/]{1,128}$/;

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
  services: Services,
  config: Config,
  subscriptions: readonly Stripe.Subscription[],
): Promise<Map<Stripe.Subscription, LostOwner>> {
  const marked = new Map<Stripe.Subscription, LostOwner>();
  for (const subscription of subscriptions) {
    const owner = isOfPlan(subscription, config) ? markedOwner(subscription.customer) : undefined;
    if (owner !== undefined) marked.set(subscription, owner);
  }
  if (marked.size === 0) return marked;
  const there = await whoIsThere(services, [...marked.values()]);
  return new Map([...marked].filter(([, { customerId }]) => there.has(customerId)));
}

function isOfPlan(subscription: Stripe.Subscription, { plans }: Config): boolean {
  const keys = subscription.items.data.map(({ price }) => price.lookup_key);
  return (
    isRunning(subscription) && keys.some((key) => key !== null && planOfLookupKey(plans, key) !== undefined)
  );
}

function markedOwner(customer: Stripe.Subscription['customer']): LostOwner | undefined {
  if (typeof customer === 'string' || customer.deleted === true) return undefined;
  for (const type of ['team', 'user'] as const) {
    const customerId = customer.metadata[markOf({ type })];
    const { email, name = null } = customer;
    if (customerId !== undefined && ID.test(customerId))
      return { customerId, lost: { type, email, name, stripeCustomer: customer } };
  }
  return undefined;
}

async function whoIsThere(services: Services, owners: readonly LostOwner[]): Promise<ReadonlySet<string>> {
  const idsOf = (type: LostCustomer['type']) => [
    ...new Set(owners.filter(({ lost }) => lost.type === type).map(({ customerId }) => customerId)),
  ];
  const [teams, { users }] = await Promise.all([
    teamsById(await services.firestore(), idsOf('team')),
    services.auth.getUsers(idsOf('user').map((uid) => ({ uid }))),
  ]);
  return new Set([
    ...teams.filter(({ team }) => !isBeingDeleted(team)).map(({ id }) => id),
    ...users.map(({ uid }) => uid),
  ]);
}
