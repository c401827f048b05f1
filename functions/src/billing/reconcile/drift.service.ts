import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import type { Config } from '../../settings/config.ts';
import { findPlan, freePlan } from '../../settings/plans.ts';
import type { Backend } from '../../backend.ts';
import { teamsById } from '../../teams/team.store.ts';
import { claimsAgree } from '../subscriptions/claims.service.ts';
import { findCustomers, type CustomerDocument, type LostCustomer } from '../customers/customer.store.ts';
import { hasWrongQuantity } from '../subscriptions/sync.service.ts';
import { findLostOwners } from './lost-customers.service.ts';
import { readKeptKeys } from '../subscriptions/price-keys.ts';
import { idOf } from '../stripe/stripe-ids.ts';
import {
  planItemOf,
  tellsSame,
  toDocument,
  type NewSubscriptionDocument,
  type SubscriptionDocument,
} from '../subscriptions/subscription.ts';
import { subscriptionsRef } from '../subscriptions/subscription.store.ts';

/** Whose a subscription is. */
export interface Owner {
  customerId: string;
  /** Set where we have no document of the customer. */
  lost?: LostCustomer;
}

/** A subscription of ours, as Stripe told it a moment ago and as it is mirrored. */
interface Held {
  subscription: Stripe.Subscription;
  fresh: NewSubscriptionDocument;
  stored: SubscriptionDocument | undefined;
  customerId: string;
  customer: CustomerDocument;
}

/**
 * Which of some subscriptions are mirrored wrong, or have not all the effects that they should: on the claims of a user,
 * on the seats and limits of a team. Reads two documents for each that is ours, of teams three, and counts the members of
 * those that pay for them.
 *
 * @param subscriptions with their customers; at most 100, as many users as Firebase Auth tells at once
 * @returns them, each with its customer
 */
export async function findStaleSubscriptions(
  backend: Backend,
  subscriptions: Stripe.Subscription[],
): Promise<Map<Stripe.Subscription, Owner>> {
  const { config } = backend;
  const firestore = await backend.firestore();
  const held = await findHeld(firestore, config, subscriptions, backend.now());
  const [withoutClaims, withOtherLimits] = await Promise.all([
    findUsersWithoutClaims(backend, held),
    findTeamsWithOtherLimits(firestore, config, held),
  ]);
  const stale = await Promise.all(
    held.map(
      async (one) =>
        one.stored === undefined ||
        !tellsSame(one.stored, one.fresh) ||
        withoutClaims.has(one.customerId) ||
        withOtherLimits.has(one.customerId) ||
        (await hasOtherSeats(firestore, config, one)),
    ),
  );
  const found = held.filter((_, index) => stale[index]);
  const known = new Set(held.map(({ subscription }) => subscription));
  const others = subscriptions.filter((subscription) => !known.has(subscription));
  return new Map([
    ...found.map(({ subscription, customerId }) => [subscription, { customerId }] as const),
    ...(await findLostOwners(backend, others)),
  ]);
}

async function findHeld(
  firestore: Firestore,
  config: Config,
  subscriptions: readonly Stripe.Subscription[],
  now: Date,
): Promise<Held[]> {
  const customers = await findCustomers(
    firestore,
    subscriptions.map(({ customer }) => idOf(customer)),
  );
  const ours = subscriptions.flatMap((subscription) => {
    const found = customers.get(idOf(subscription.customer));
    return found === undefined ? [] : [{ subscription, customerId: found.id, customer: found.customer }];
  });
  if (ours.length === 0) return [];
  const refs = ours.map(({ customerId, subscription }) =>
    subscriptionsRef(firestore, customerId).doc(subscription.id),
  );
  const stored = (await firestore.getAll(...refs)) as DocumentSnapshot<SubscriptionDocument>[];
  return Promise.all(
    ours.map(async (one, index) => {
      const before = stored[index]?.data();
      const kept = await readKeptKeys(firestore, config.plans, one.subscription, before);
      return { ...one, fresh: toDocument(one.subscription, { ...config, now }, kept), stored: before };
    }),
  );
}

async function findUsersWithoutClaims(
  { auth, config }: Backend,
  held: readonly Held[],
): Promise<ReadonlySet<string>> {
  const plans = new Map(
    held
      .filter(({ customer }) => customer.type === 'user')
      .map(({ customerId, customer }) => [customerId, customer.plan ?? freePlan(config.plans).slug]),
  );
  if (plans.size === 0) return new Set();
  const { users } = await auth.getUsers([...plans.keys()].map((uid) => ({ uid })));
  const wrong = users.filter((user) => !claimsAgree(user, config, plans.get(user.uid) ?? ''));
  return new Set(wrong.map(({ uid }) => uid));
}

/** The plans may have been configured anew since a team got its limits. */
async function findTeamsWithOtherLimits(
  firestore: Firestore,
  { plans }: Config,
  held: readonly Held[],
): Promise<ReadonlySet<string>> {
  const limits = new Map(
    held
      .filter(({ customer }) => customer.type === 'team')
      .map(({ customerId, customer }) => [
        customerId,
        (findPlan(plans, customer.plan ?? '') ?? freePlan(plans)).limits.seats,
      ]),
  );
  const teams = await teamsById(firestore, [...limits.keys()]);
  const wrong = teams.filter(({ id, team }) => team.seatLimit !== limits.get(id));
  return new Set(wrong.map(({ id }) => id));
}

async function hasOtherSeats(
  firestore: Firestore,
  { plans }: Config,
  { customer, customerId, fresh }: Held,
): Promise<boolean> {
  const item = customer.type === 'team' ? planItemOf(fresh, plans) : undefined;
  return item !== undefined && hasWrongQuantity(firestore, customerId, item);
}
