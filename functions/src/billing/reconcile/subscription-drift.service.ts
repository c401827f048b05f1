import { isDeepStrictEqual } from 'node:util';
import type { UserRecord } from 'firebase-admin/auth';
import pMap from 'p-map';
import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import type { Reads } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import type { Config } from '../../settings/config.ts';
import type { LostCustomer } from '../customer-rules.ts';
import type { PayingStripeCustomer } from '../customers/adoption/adopt.service.ts';
import { isSameContact, readContacts } from '../customers/contacts/contact.store.ts';
import { findCustomers } from '../customers/customer.store.ts';
import { idOf } from '../stripe/stripe-ids.ts';
import type { SubjectKey } from '../subject.ts';
import { hasClaimsOf } from '../subscriptions/access/claims.service.ts';
import { limitsOf } from '../subscriptions/access/limits.ts';
import { estimateSubscriptionDocument } from '../subscriptions/from-stripe/subscription-document.service.ts';
import { holdingOf } from '../subscriptions/holding.ts';
import { findProblems } from '../subscriptions/overlap/problems.ts';
import { planItemIfRunning } from '../subscriptions/plan-item.ts';
import { findWrongQuantity } from '../subscriptions/seats/quantity.store.ts';
import { isActiveOrTrialing, isRunning } from '../subscriptions/status.ts';
import { storedHoldingOf } from '../subscriptions/stored-holding.ts';
import { runningSubscriptions } from '../subscriptions/subscription.store.ts';
import { findCustomersWithoutLink } from './without-customer.service.ts';

const CONCURRENT_COMPARISONS = 20;

/** The user or team that pays for a subscription. */
export interface DriftedCustomer {
  customerId: string;
  /** Data to recreate a missing document of the customer. */
  lostCustomer?: LostCustomer;
  /** The Stripe customer to link first, if the customer has a document and another or no Stripe customer. */
  unlinked?: PayingStripeCustomer & SubjectKey;
  /** True if our copy of the subscription differs from Stripe. */
  hasWrongCopy?: boolean;
  /** The quantity of seats at Stripe, if it is wrong and no change waits for its payment. */
  wrongSeats?: number | undefined;
  /** True if the address or name at Stripe is wrong. */
  hasWrongContact?: boolean;
  /** True if the number of seats in a planned change may be wrong. The sync compares it, with one call to Stripe. */
  mayHaveWrongPlannedSeats?: boolean;
  /** True if the user has neither an account nor a profile. The sync may cancel, with one call to Stripe. */
  hasNoUser?: boolean;
}

interface SubscriptionDrift {
  /** Subscriptions to sync, with their customers. */
  drift: ReadonlyMap<Stripe.Subscription, DriftedCustomer>;
  /** Subscriptions whose Stripe customer is neither linked to one of our customers nor names one. */
  withoutCustomer: Stripe.Subscription[];
}

/** A subscription of one of our customers. */
interface OwnSubscription {
  subscription: Stripe.Subscription;
  /** The document that the subscription should have. `past_due_since` comes from our copy, or is estimated. */
  current: SubscriptionDocument;
  /** The document that the subscription has; undefined if it is missing or damaged. */
  stored: SubscriptionDocument | undefined;
  customerId: string;
  customer: CustomerDocument;
}

/**
 * Finds the subscriptions whose copy differs from Stripe, or whose customer has wrong claims, limits, add-ons, seats or
 * contact. Also finds subscriptions with a problem, so that the sync logs the problem at each visit, subscriptions of
 * teams with a planned change, and running subscriptions of deleted users without a profile.
 *
 * For each subscription, reads two documents of a user, or four or five of a team. Also reads the customer's running
 * subscriptions, counts the members of a team that pays for each member, and looks for the profile of a deleted user.
 *
 * @param subscriptions with their Stripe customers expanded; at most 100, the limit of `getUsers`
 */
export async function findSubscriptionDrift(
  backend: Backend,
  subscriptions: readonly Stripe.Subscription[],
): Promise<SubscriptionDrift> {
  const own = await readOwn(backend, subscriptions);
  const [users, teamsInDrift, wrongContacts] = await Promise.all([
    findUsers(backend, own),
    findTeamsWithWrongLimits(backend, own),
    findWrongContacts(backend, own),
  ]);
  const withoutUser = await findCustomersWithoutUser(backend, own, users);
  const compare = async (one: OwnSubscription) => {
    const { subscription, customerId, stored } = one;
    const wrongSeats = await findWrongPresentSeats(backend.db, backend.config, one);
    const found = {
      customerId,
      hasWrongCopy: hasWrongCopy(one),
      wrongSeats: subscription.pending_update === null ? wrongSeats : undefined,
      hasWrongContact: wrongContacts.has(customerId),
      mayHaveWrongPlannedSeats: mayHaveWrongPlannedSeats(one),
      hasNoUser: withoutUser.has(customerId),
    };
    const isInDrift =
      wrongSeats !== undefined ||
      wrongContacts.has(customerId) ||
      stored === undefined ||
      hasWrongCopy(one) ||
      hasWrongClaims(backend.config, one, users.get(customerId)) ||
      withoutUser.has(customerId) ||
      teamsInDrift.has(customerId) ||
      lacksAddOns(backend.config, one, backend.now()) ||
      mayHaveWrongPlannedSeats(one) ||
      (await hasProblem(backend, one));
    return isInDrift ? [[subscription, found] as const] : [];
  };
  const drift = (await pMap(own, compare, { concurrency: CONCURRENT_COMPARISONS })).flat();
  const ownSubscriptions = new Set(own.map(({ subscription }) => subscription));
  const others = subscriptions.filter((subscription) => !ownSubscriptions.has(subscription));
  const withoutLink = await findCustomersWithoutLink(backend, others);
  return {
    drift: new Map<Stripe.Subscription, DriftedCustomer>([...drift, ...withoutLink]),
    withoutCustomer: others.filter((subscription) => !withoutLink.has(subscription)),
  };
}

function hasWrongCopy({ stored, current }: OwnSubscription): boolean {
  return stored !== undefined && !isDeepStrictEqual(stored, current);
}

async function readOwn(
  { config, db, now }: Backend,
  subscriptions: readonly Stripe.Subscription[],
): Promise<OwnSubscription[]> {
  const customers = await findCustomers(
    db,
    subscriptions.map(({ customer }) => idOf(customer)),
  );
  const terms = { ...config, now: now() };
  const own = subscriptions.map(async (subscription) => {
    const found = customers.get(idOf(subscription.customer));
    if (found === undefined) return undefined;
    const { id: customerId, customer } = found;
    const stored = await db.subscriptions(customerId).getIntact(subscription.id);
    const current = await estimateSubscriptionDocument(db, terms, subscription, stored);
    return { subscription, current, stored, customerId, customer };
  });
  return (await Promise.all(own)).filter((one) => one !== undefined);
}

/** @returns the existing users among the customers, by uid */
async function findUsers(
  { auth }: Backend,
  own: readonly OwnSubscription[],
): Promise<ReadonlyMap<string, UserRecord>> {
  const customers = own.filter(({ customer }) => customer.type === 'user');
  const uids = new Set(customers.map(({ customerId }) => customerId));
  if (uids.size === 0) return new Map();
  const { users } = await auth.getUsers([...uids].map((uid) => ({ uid })));
  return new Map(users.map((user) => [user.uid, user]));
}

function hasWrongClaims(
  config: Config,
  { customer }: OwnSubscription,
  user: UserRecord | undefined,
): boolean {
  return user !== undefined && !hasClaimsOf(user, config, storedHoldingOf(config.plans, customer));
}

/**
 * The deleted users without a profile whose subscription pays for a plan. The sync cancels it, or makes a profile for
 * the sweep: see `tryLeaveToSweep`.
 */
async function findCustomersWithoutUser(
  { config: { plans }, db }: Backend,
  own: readonly OwnSubscription[],
  users: ReadonlyMap<string, UserRecord>,
): Promise<ReadonlySet<string>> {
  const uids = own
    .filter(({ customer, customerId }) => customer.type === 'user' && !users.has(customerId))
    .filter(({ current }) => planItemIfRunning(current, plans) !== undefined)
    .map(({ customerId }) => customerId);
  const without = new Set<string>();
  for (const uid of new Set(uids)) if (!(await db.users.exists(uid))) without.add(uid);
  return without;
}

/** The plan or limits are wrong after a change of the configuration, or if somebody has edited the team's document. */
async function findTeamsWithWrongLimits(
  { db, config }: Backend,
  own: readonly OwnSubscription[],
): Promise<ReadonlySet<string>> {
  const customers = new Map(
    own
      .filter(({ customer }) => customer.type === 'team')
      .map(({ customerId, customer }) => [customerId, customer]),
  );
  const teams = await db.teams.getAllIntact(customers.keys());
  const wrong = [...teams].filter(([id, team]) => {
    const customer = customers.get(id);
    const { plan, addOns = {}, entitlements } = customer ?? {};
    const { seats } = limitsOf(config, { plan, addOns });
    const hasOthers = entitlements !== undefined && !isDeepStrictEqual(team.entitlements, entitlements);
    const hasOtherPlan = team.plan !== storedHoldingOf(config.plans, customer).planSlug;
    return (
      hasOthers || hasOtherPlan || team.seatLimit !== seats || !isDeepStrictEqual(team.addOns ?? {}, addOns)
    );
  });
  return new Set(wrong.map(([id]) => id));
}

/** True, for example, if an add-on was configured later than it was bought. */
function lacksAddOns(config: Config, { customer, current }: OwnSubscription, now: Date): boolean {
  const { addOns } = holdingOf([current], config, now);
  return Object.entries(addOns).some(([slug, quantity]) => (customer.addOns?.[slug] ?? 0) < quantity);
}

async function findWrongContacts(
  backend: Backend,
  own: readonly OwnSubscription[],
): Promise<ReadonlySet<string>> {
  const customers = new Map(own.map(({ customerId, customer }) => [customerId, customer]));
  const contacts = await readContacts(backend, customers);
  const others = [...customers].filter(([id, customer]) => {
    const contact = contacts.get(id);
    return contact !== undefined && !isSameContact(customer, contact);
  });
  return new Set(others.map(([id]) => id));
}

/** Stripe is not asked here, because a comparison makes no call. */
function mayHaveWrongPlannedSeats({ customer, current }: OwnSubscription): boolean {
  return customer.type === 'team' && isRunning(current) && current.schedule !== null;
}

async function findWrongPresentSeats(
  reads: Reads,
  { plans }: Config,
  { customer, customerId, current }: OwnSubscription,
): Promise<number | undefined> {
  const item = customer.type === 'team' ? planItemIfRunning(current, plans) : undefined;
  return item && findWrongQuantity(reads, customerId, item);
}

async function hasProblem(
  { config, db }: Backend,
  { subscription: { id }, customerId, customer, current }: OwnSubscription,
): Promise<boolean> {
  if (!isActiveOrTrialing(current)) return false;
  const others = await runningSubscriptions(db, customerId).findIntact();
  const runningCopies = [...others.filter((other) => other.id !== id), { id, data: current }];
  const payer = { type: customer.type, runningCopies };
  return customer.markedDuplicates?.includes(id) === true || findProblems(payer, id, config).length > 0;
}
