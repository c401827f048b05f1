import { isDeepStrictEqual } from 'node:util';
import type Stripe from 'stripe';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import {
  findPlan,
  freePlan,
  planOfLookupKey,
  planOrFree,
  type Plan,
  type PlanList,
} from '../../settings/plans.ts';
import type { AddOnQuantities, Offered } from '../../settings/extras.ts';
import { addOnsOf } from '../items/add-on-items.ts';
import { seatItemOf, type SeatItem } from '../items/seat-item.ts';

/** Statuses of a running subscription, which still binds the customer: a second one would charge them twice. */
export const RUNNING = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
] as const satisfies Stripe.Subscription.Status[];

/**
 * The status of every granted plan, also of one that was bought in an app store. Granted plans are stored beside the copies of
 * subscriptions. Stripe does not know this status.
 */
export const GRANTED = 'comped';

/**
 * Statuses in which a subscription can be entitling. A past due subscription is entitling only within the grace, a granted plan
 * only until its end. `isEntitling` decides.
 */
export const MAY_BE_ENTITLING = ['active', 'trialing', 'past_due', GRANTED] as const satisfies (
  Stripe.Subscription.Status | typeof GRANTED
)[];

export function isRunning({ status }: Pick<SubscriptionDocument, 'status'>): boolean {
  return RUNNING.some((running) => running === status);
}

type CollectionPaused = NonNullable<SubscriptionDocument['collection_paused']>;

/**
 * The fields that decide which plan a subscription is for. `role` is the Stripe extension's name for the slug of the
 * plan.
 */
type PlanFields = Pick<SubscriptionDocument, 'role'> & { items: readonly KeyedItem[] };

type KeyedItem = Pick<SubscriptionDocument['items'][number], 'lookupKey'>;

/** The fields that decide whether a subscription is entitling. */
type PlanState = PlanFields & Pick<SubscriptionDocument, 'status' | 'grace_until' | 'collection_paused'>;

/**
 * The best plan of the entitling subscriptions and the one-time purchases. The free plan if there is none.
 *
 * @param owned the plans that were bought by one-time purchases
 */
export function bestPlan(
  subscriptions: readonly PlanState[],
  plans: PlanList,
  now: Date,
  owned: readonly Plan[] = [],
): Plan {
  const given = subscriptions
    .filter((one) => isEntitling(one, now))
    .map((one) => planOfSubscription(one, plans));
  return highest([...given, ...owned], plans) ?? freePlan(plans);
}

/** The plan and the add-ons of a customer. */
export interface Holding {
  plan: Plan;
  addOns: AddOnQuantities;
}

/** The best plan of a customer's entitling subscriptions and one-time purchases, and the add-ons of these subscriptions. */
export function holdingOf(
  subscriptions: readonly (PlanState & Pick<SubscriptionDocument, 'items'>)[],
  { plans, extras }: Offered,
  now: Date,
  owned: readonly Plan[] = [],
): Holding {
  const items = subscriptions.filter((one) => isEntitling(one, now)).flatMap((one) => one.items);
  return { plan: bestPlan(subscriptions, plans, now, owned), addOns: addOnsOf(items, { extras }) };
}

/** The slug of the plan, the add-ons and Stripe's entitlements that the document of a customer names. */
export interface StoredHolding {
  plan: string;
  addOns?: AddOnQuantities | undefined;
  /** Undefined if Stripe has never given the customer any. Then the claim `entitlements` belongs to other programs. */
  entitlements?: readonly string[] | undefined;
}

/** Takes the holding from the document of a customer. Without a document it is the free plan. */
export function storedHolding(
  plans: PlanList,
  customer: Pick<CustomerDocument, 'plan' | 'addOns' | 'entitlements'> | undefined,
): StoredHolding {
  const { plan, addOns, entitlements } = customer ?? {};
  return { plan: planOrFree(plans, plan).slug, addOns, entitlements };
}

/** The plans that one-time purchases have bought. Leaves out plans that were removed from the configuration. */
export function ownedPlansOf(
  { ownedPlans = {} }: Pick<CustomerDocument, 'ownedPlans'>,
  plans: PlanList,
): Plan[] {
  return Object.values(ownedPlans)
    .map((lookupKey) => planOfLookupKey(plans, lookupKey))
    .filter((plan) => plan !== undefined);
}

/** True if a subscription gives its plan now. */
function isEntitling({ status, grace_until, collection_paused }: PlanState, now: Date): boolean {
  if (collection_paused && isServicePaused(collection_paused, now)) return false;
  if (status === 'past_due' || status === GRANTED) return grace_until !== null && grace_until > now;
  return status === 'active' || status === 'trialing';
}

/**
 * True if pausing the collection of payments also takes the plan away. Stripe recommends `void` for that; the other
 * behaviors are for offering the service free of charge or against a later payment.
 * https://docs.stripe.com/billing/subscriptions/pause-payment
 */
function isServicePaused({ behavior, resumes_at }: CollectionPaused, now: Date): boolean {
  return behavior === 'void' && (resumes_at === null || resumes_at > now);
}

/**
 * The plan that a subscription is for: the best of its items, by their lookup keys. The keys come first, so that the
 * slug of a plan can change. Only if no item has a key of a plan, the stored slug (`role`) decides. Undefined if the
 * subscription is for none of the plans.
 */
export function planOfSubscription({ items, role }: PlanFields, plans: PlanList): Plan | undefined {
  return planOfItems(items, plans) ?? (role === null ? undefined : findPlan(plans, role));
}

/** The best plan that line items pay for. */
export function planOfItems(items: readonly KeyedItem[], plans: PlanList): Plan | undefined {
  return highest(
    items.map(({ lookupKey }) => planOfKey(lookupKey, plans)),
    plans,
  );
}

function highest(candidates: readonly (Plan | undefined)[], plans: PlanList): Plan | undefined {
  return plans.findLast((plan) => candidates.includes(plan));
}

/** The line item that pays for a plan. */
export interface PlanItem {
  id: string;
  quantity: number;
  /** Whether a team pays the price of this item for each member. */
  perSeat: boolean;
  /** Bills the seats beside a base price. Undefined for a plan without such a price. */
  seats: SeatItem | undefined;
}

/** The line item that pays for the best plan. Undefined if the subscription has ended or no item pays for a plan. */
export function planItemOf(
  { status, items }: Pick<SubscriptionDocument, 'status' | 'items'>,
  plans: PlanList,
): PlanItem | undefined {
  const best = isRunning({ status }) ? bestPlanItem(items, plans) : undefined;
  if (best === undefined) return undefined;
  const { item, plan } = best;
  return {
    id: item.id,
    quantity: item.quantity,
    perSeat: plan.perSeat === true,
    seats: seatItemOf(items, plan, item.lookupKey),
  };
}

/** The line item that pays for the best plan, and that plan. Undefined if no item pays for a plan. */
export function bestPlanItem<Item extends KeyedItem>(
  items: readonly Item[],
  plans: PlanList,
): { item: Item; plan: Plan } | undefined {
  const plan = planOfItems(items, plans);
  const item = plan && items.find(({ lookupKey }) => planOfKey(lookupKey, plans) === plan);
  return item && { item, plan };
}

/** The plan of a price by its lookup key, which a price may lack. */
export function planOfKey(lookupKey: string | null, plans: PlanList): Plan | undefined {
  return lookupKey === null ? undefined : planOfLookupKey(plans, lookupKey);
}

/** Whether a stored document equals the one that Stripe's data gives now. */
export function isUnchanged(stored: SubscriptionDocument, current: SubscriptionDocument): boolean {
  return isDeepStrictEqual(stored, current);
}
