import type { Firestore, QueryDocumentSnapshot } from 'firebase-admin/firestore';
import { pMapIterable } from 'p-map';
import type Stripe from 'stripe';
import { requireExistingUser } from '../../functions/src/auth/users/require-existing-user.ts';
import type { Backend } from '../../functions/src/backend.ts';
import { syncPrice, syncProduct } from '../../functions/src/billing/catalogue/catalogue.service.ts';
import { getOrCreateOurCustomer } from '../../functions/src/billing/customers/our-customer.service.ts';
import { isMissing } from '../../functions/src/billing/stripe/stripe-errors.ts';
import { idOf } from '../../functions/src/billing/stripe/stripe-ids.ts';
import { userSubject, SUBJECT_METADATA_FIELD } from '../../functions/src/billing/subject.ts';
import { isRunning } from '../../functions/src/billing/subscriptions/status.ts';
import { syncSubscription } from '../../functions/src/billing/subscriptions/sync/sync.service.ts';
import { hasCode, USER_NOT_FOUND } from '../../functions/src/common/error-code.ts';
import {
  problemOf,
  toExtensionCustomer,
  toStoredBefore,
  type ExtensionCustomer,
  type StoredBefore,
} from './extension-customer.ts';
import { planSlugOf, type Offer } from './plan-finder.ts';
import { noteOf, type Row } from './report.ts';

export interface Takeover {
  backend: Backend;
  firestore: Firestore;
  stripe: Stripe;
  offer: Offer;
  isDryRun: boolean;
}

const PAGE_SIZE = 100;

/** Each customer costs about five calls, one after the other. Stripe's test mode accepts 25 calls in a second. */
const CONCURRENT_CUSTOMERS = 5;

/** The customer's id, and the rows of the report about it. */
export interface TakenOver {
  id: string;
  rows: Row[];
}

/**
 * Takes over all customers: completes their documents, and syncs all of their subscriptions with Stripe. Idempotent, so
 * it may be interrupted and repeated. A failure is a row of its customer, and the others go on. A dry run changes
 * nothing.
 *
 * @param after the id of a customer, to continue behind it
 * @returns the customers in the order of their ids. All customers before a returned one are done
 */
export function takeOverAll(takeover: Takeover, after = ''): AsyncIterable<TakenOver> {
  return pMapIterable(
    linkedCustomersAfter(takeover.firestore, after),
    async (found) => ({ id: found.customer.id, rows: await takeOverOrReport(takeover, found) }),
    { concurrency: CONCURRENT_CUSTOMERS },
  );
}

async function takeOverOrReport(takeover: Takeover, found: FoundCustomer): Promise<Row[]> {
  try {
    return await takeOver(takeover, found);
  } catch (error) {
    const { id, stripeId } = found.customer;
    const reason = error instanceof Error ? error.message : String(error);
    return [{ customer: id, stripeCustomer: stripeId, note: `FAILED, run the command again: ${reason}` }];
  }
}

/**
 * Copies products and prices of the plans, because the plan of a price without a lookup key is found by its product.
 */
export async function takeOverCatalogue({ backend, offer, isDryRun }: Takeover): Promise<void> {
  if (isDryRun) return;
  for (const productId of new Set(offer.prices.map(({ product }) => idOf(product)))) {
    await syncProduct(backend, productId);
  }
  for (const price of offer.prices) await syncPrice(backend, price);
}

async function* customersAfter(firestore: Firestore, after: string): AsyncGenerator<QueryDocumentSnapshot> {
  let last = after;
  for (;;) {
    const ordered = firestore.collection('customers').orderBy('__name__').limit(PAGE_SIZE);
    const { docs } = await (last === '' ? ordered : ordered.startAfter(last)).get();
    yield* docs;
    if (docs.length < PAGE_SIZE) return;
    last = docs.at(-1)?.id ?? '';
  }
}

type LinkedCustomer = ExtensionCustomer & { stripeId: string };

interface FoundCustomer {
  customer: LinkedCustomer;
  /** The id of an earlier customer with the same Stripe customer. */
  duplicateOf: string | undefined;
}

/** Finds the customers that have a Stripe customer. */
async function* linkedCustomersAfter(firestore: Firestore, after: string): AsyncGenerator<FoundCustomer> {
  const seen = new Map<string, string>();
  for await (const snapshot of customersAfter(firestore, after)) {
    const { stripeId, ...customer } = toExtensionCustomer(snapshot.id, snapshot.data());
    if (stripeId === undefined) continue;
    const duplicateOf = seen.get(stripeId);
    seen.set(stripeId, duplicateOf ?? customer.id);
    yield { customer: { ...customer, stripeId }, duplicateOf };
  }
}

async function takeOver(takeover: Takeover, { customer, duplicateOf }: FoundCustomer): Promise<Row[]> {
  const { stripe, isDryRun } = takeover;
  const [account, stripeCustomer] = await Promise.all([
    findAccount(takeover, customer),
    findStripeCustomer(stripe, customer.stripeId),
  ]);
  const stripeOwner = stripeCustomer && {
    id: stripeCustomer.metadata[SUBJECT_METADATA_FIELD[customer.type]],
  };
  const problem = problemOf({ customer, hasAccount: account !== undefined, stripeOwner, duplicateOf });
  const head = { customer: customer.id, stripeCustomer: customer.stripeId };
  if (problem !== undefined || account === undefined)
    return [{ ...head, note: `NOT TAKEN OVER: ${problem ?? ''}` }];
  if (!isDryRun) await complete(takeover, customer, { account, stripeOwner: stripeOwner?.id });
  return takeOverSubscriptions(takeover, customer);
}

/** A user or team as a new customer needs it. */
interface Account {
  email: string | undefined;
  emailVerified: boolean;
  displayName: string | undefined;
}

async function findAccount(
  { backend: { auth, db } }: Takeover,
  { id, type }: ExtensionCustomer,
): Promise<Account | undefined> {
  if (type === 'team') {
    return (await db.teams.exists(id))
      ? { email: undefined, emailVerified: false, displayName: undefined }
      : undefined;
  }
  try {
    const { email, emailVerified, displayName } = await auth.getUser(id);
    return { email: email?.toLowerCase(), emailVerified, displayName };
  } catch (error) {
    if (hasCode(error, USER_NOT_FOUND)) return undefined;
    throw error;
  }
}

async function findStripeCustomer(stripe: Stripe, id: string): Promise<Stripe.Customer | undefined> {
  try {
    const customer = await stripe.customers.retrieve(id);
    return customer.deleted === true ? undefined : customer;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Adds our fields to the document, and the uid to the Stripe customer, by which a lost customer is found again. Makes a
 * missing profile, by which `sweepDeletedAccounts` finds the user.
 */
async function complete(
  { backend, stripe }: Takeover,
  { id, type, stripeId }: LinkedCustomer,
  { account, stripeOwner }: { account: Account; stripeOwner: string | undefined },
): Promise<void> {
  if (type === 'user') {
    await getOrCreateOurCustomer(backend, userSubject({ uid: id, ...account }));
    await backend.db.run((tx) => requireExistingUser(backend, tx, id));
  }
  if (stripeOwner === undefined) {
    await stripe.customers.update(stripeId, { metadata: { [SUBJECT_METADATA_FIELD[type]]: id } });
  }
}

async function takeOverSubscriptions(takeover: Takeover, customer: LinkedCustomer): Promise<Row[]> {
  const { backend, firestore, stripe, isDryRun } = takeover;
  const { docs } = await firestore.collection(`customers/${customer.id}/subscriptions`).get();
  const stored = new Map(docs.map((snapshot) => [snapshot.id, toStoredBefore(snapshot.data())]));
  const current = new Map<string, Stripe.Subscription>();
  const all = stripe.subscriptions.list({ customer: customer.stripeId, status: 'all', limit: 100 });
  for await (const subscription of all) current.set(subscription.id, subscription);
  const rows: Row[] = [];
  for (const id of new Set([...current.keys(), ...stored.keys()])) {
    rows.push(rowOf(takeover, customer, { id, before: stored.get(id), now: current.get(id) }));
    if (!isDryRun) await syncSubscription(backend, customer.id, id);
  }
  return rows;
}

interface SubscriptionPair {
  id: string;
  before: StoredBefore | undefined;
  now: Stripe.Subscription | undefined;
}

function rowOf(
  { backend, offer }: Takeover,
  customer: LinkedCustomer,
  { id, before, now }: SubscriptionPair,
): Row {
  const plan = now && planSlugOf(now, backend.config.plans, offer);
  const note = noteOf({
    before,
    status: now?.status,
    plan,
    isRunning: now !== undefined && isRunning(now),
    prices: now?.items.data.map(({ price }) => price.id) ?? [],
  });
  return {
    customer: customer.id,
    stripeCustomer: customer.stripeId,
    subscription: id,
    ...(before && { before: before.status }),
    ...(now && { now: now.status }),
    ...(plan !== undefined && { plan }),
    ...(note !== undefined && { note }),
  };
}
