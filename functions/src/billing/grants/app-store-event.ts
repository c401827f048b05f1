import { createHash } from 'node:crypto';
import * as z from 'zod';
import { isDocumentId } from '../../firestore/document-id.ts';
import { LAST_TIME } from '../../firestore/writes.ts';
import { isPaid, slugsOf, type Plan, type PlanList } from '../../settings/plans.ts';

const time = z.int().nonnegative().nullish();
const text = z.string().max(1_000).nullish();
const ids = z.array(z.string()).max(1_000).nullish();

/**
 * An event about a purchase in an app store, in the shape of RevenueCat's webhook. Other fields are ignored.
 *
 * https://www.revenuecat.com/docs/integrations/webhooks/event-types-and-fields
 */
export const appStoreEventSchema = z
  .looseObject({
    id: z.string().min(1).max(200),
    type: z.string().describe('Such as `INITIAL_PURCHASE`. An unknown type has no effect.'),
    event_timestamp_ms: z
      .int()
      .nonnegative()
      .max(LAST_TIME.getTime())
      .describe('Decides which of two events is the later one.'),
    environment: text.describe('`SANDBOX` has an effect only with `STORE_SANDBOX`.'),
    store: text,
    app_user_id: text.describe('The uid of the user.'),
    original_app_user_id: text,
    aliases: ids,
    entitlement_ids: ids.describe('Slugs of plans. The highest counts.'),
    product_id: text,
    transaction_id: text,
    original_transaction_id: text.describe('Identifies the purchase through all renewals.'),
    expiration_at_ms: time.describe('Null for a purchase without an end.'),
    grace_period_expiration_at_ms: time,
    cancel_reason: text,
    transferred_from: ids,
    transferred_to: ids,
  })
  .meta({ id: 'AppStoreEvent' });

export type AppStoreEvent = z.output<typeof appStoreEventSchema>;

/** Orders events: by time, and by id within the same millisecond. */
export interface Moment {
  /** Milliseconds since 1970. */
  at: number;
  eventId: string;
}

export function momentOf({ event_timestamp_ms: at, id: eventId }: AppStoreEvent): Moment {
  return { at, eventId };
}

export function isLater(one: Moment, other: Moment): boolean {
  return one.at === other.at ? one.eventId > other.eventId : one.at > other.at;
}

/** True if a transfer moves purchases of this store. A transfer without a store moves the purchases of all stores. */
export function isOfStore(transfer: { store?: string | null | undefined }, store: string): boolean {
  return !transfer.store || transfer.store === store;
}

/** After one of these events the customer has the purchase until its end. */
const GIVING_EVENT_TYPES = [
  'INITIAL_PURCHASE',
  'RENEWAL',
  'UNCANCELLATION',
  'NON_RENEWING_PURCHASE',
  'SUBSCRIPTION_EXTENDED',
  'TEMPORARY_ENTITLEMENT_GRANT',
  'REFUND_REVERSED',
  'BILLING_ISSUE',
];

export interface AppStorePurchaseState {
  /** Milliseconds since 1970; null if the purchase has ended, `never` if the purchase has no end. */
  endsAt: number | 'never' | null;
  /** True if the customer has turned off the renewal. */
  isCancelled: boolean;
}

/**
 * The state of the purchase after this event. Undefined for an event that changes nothing, such as:
 *
 * - A pause or a change of product. A later event reports when it takes effect.
 * - A cancellation because of a failed payment. The event `BILLING_ISSUE` reports the end of the grace.
 */
export function stateAfter(event: AppStoreEvent): AppStorePurchaseState | undefined {
  const { type, cancel_reason: reason } = event;
  if (GIVING_EVENT_TYPES.includes(type)) return { endsAt: endOf(event), isCancelled: false };
  if (type === 'EXPIRATION') return { endsAt: null, isCancelled: true };
  if (type !== 'CANCELLATION' || reason === 'BILLING_ERROR') return undefined;
  // `CUSTOMER_SUPPORT` is a refund by the store. It ends the plan immediately.
  return { endsAt: reason === 'CUSTOMER_SUPPORT' ? null : endOf(event), isCancelled: true };
}

function endOf({
  expiration_at_ms: end,
  grace_period_expiration_at_ms: grace,
}: AppStoreEvent): number | 'never' {
  if (typeof end !== 'number') return 'never';
  const latest = Math.max(end, grace ?? 0);
  // Some stores send a time in the far future for a purchase without an end.
  return latest < LAST_TIME.getTime() ? latest : 'never';
}

/** The highest plan for users that an event names, by the plan's slug or a former slug. */
export function planOfEvent({ entitlement_ids: named }: AppStoreEvent, plans: PlanList): Plan | undefined {
  const isNamed = (plan: Plan) => slugsOf(plan).some((slug) => named?.includes(slug) === true);
  return plans.findLast((plan) => isPaid(plan) && plan.for.includes('user') && isNamed(plan));
}

/** The uids among all ids of a store's customer, the current uid first. */
export function userIdsOf({
  app_user_id: id,
  original_app_user_id: original,
  aliases,
}: AppStoreEvent): string[] {
  return uidsAmong([id, original, ...(aliases ?? [])]);
}

/** The ids that can be uids. Leaves out ids that RevenueCat gives to customers who have not signed in. */
export function uidsAmong(candidates: readonly (string | null | undefined)[]): string[] {
  return [...new Set(candidates)].filter((id): id is string => isDocumentId(id) && !id.startsWith('$'));
}

/** Prefix of the ids of app store grants. Ids of Stripe subscriptions never start with it. */
const PREFIX = 'store_';

/** Id of the grant of a purchase, the same for all renewals. */
export function grantIdOf(event: AppStoreEvent): string {
  const { store, original_transaction_id, transaction_id, product_id } = event;
  const purchase = original_transaction_id ?? transaction_id ?? product_id ?? '';
  const hash = createHash('sha256')
    .update(`${store ?? ''}\n${purchase}`)
    .digest('hex');
  return PREFIX + hash.slice(0, 32);
}

export function isAppStoreGrant(id: string): boolean {
  return id.startsWith(PREFIX);
}
