import type Stripe from 'stripe';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import type { SubscriptionDocument, SubscriptionWithId } from '../../../firestore/documents/subscription.ts';
import type { Team } from '../../../firestore/documents/team.ts';
import type { MaybeDamaged } from '../../../firestore/query.ts';
import type { LostCustomer } from '../../customer-rules.ts';
import type { EventIdAndType } from '../../synced-events.store.ts';
import type { PlanItem } from '../plan-item.ts';
import type { SubscriptionWithSchedule } from '../seats/subscription-with-schedule.ts';
import type { StoredHolding } from '../stored-holding.ts';

/*
 * The shapes of a sync, in the order in which they are made:
 *
 * | shape | content | made by |
 * | --- | --- | --- |
 * | `SyncTarget` | the subscription to sync, with `SyncOptions` | the calling function |
 * | `DocumentsBefore` | the documents that the sync has read | `documents-before.store.ts` |
 * | `DocumentsAfter` | the same documents after the sync | `copy-subscription.service.ts` |
 * | `SyncResult` | the facts that the steps after the commit need | `copy-subscription.service.ts` |
 * | `SyncedSubscription`, `SyncedCustomer` | its two parts | `copy-subscription.service.ts` |
 */

export interface SyncOptions {
  /** The event that reported a change. The sync records the event: a second sync for it changes no document. */
  event?: EventIdAndType | undefined;
  /** Data of a lost customer. The sync recreates the customer's document only if the subscription is running. */
  lostCustomer?: LostCustomer | undefined;
  /** The subscription from a list of Stripe, with `latest_invoice` expanded. Passing it can save a call to Stripe. */
  listed?: Stripe.Subscription | undefined;
}

/** The subscription to sync. */
export interface SyncTarget extends SyncOptions {
  customerId: string;
  subscriptionId: string;
}

/** The documents before a sync, all read in its transaction. */
export interface DocumentsBefore {
  customer: Pick<
    CustomerDocument,
    'type' | 'stripeId' | 'plan' | 'addOns' | 'ownedPlans' | 'entitlements' | 'markedDuplicates'
  >;
  /** False if `customer` comes from `lostCustomer`. */
  hasCustomerDocument: boolean;
  /** Undefined for a user, for a team whose document is gone, and if `wasSynced`. */
  team: Team | undefined;
  /** Our copy. Undefined if it is missing or damaged: then the sync writes a new one, unless `wasSynced`. */
  copyBefore: SubscriptionDocument | undefined;
  /** Our copies of the customer's other running subscriptions, and the granted plans. */
  others: MaybeDamaged<SubscriptionDocument>[];
  /** True if an earlier sync has recorded the event. */
  wasSynced: boolean;
}

/** The documents after a sync. */
export interface DocumentsAfter {
  /** The customer as the transaction stores it. */
  customer: DocumentsBefore['customer'];
  /**
   * Our copy of the subscription. Undefined in two cases: Stripe no longer has the subscription, or it runs for
   * another Stripe customer than the linked one, and we do not accept that (`requiredStripeCustomerId` in
   * `copy-subscription.service.ts`).
   */
  copyAfter: SubscriptionDocument | undefined;
  /** Damaged copies are replaced by what Stripe has, or left out if the event was recorded before. */
  others: readonly SubscriptionWithId[];
}

export interface SyncResult {
  subscription: SyncedSubscription;
  customer: SyncedCustomer;
}

/** A subscription after a sync. */
export interface SyncedSubscription {
  /** Undefined if the subscription is not running or pays for no plan. */
  runningPlanItem: PlanItem | undefined;
  /** Set if the subscription has a schedule, which may plan a change with the wrong number of seats. */
  subscriptionWithSchedule: SubscriptionWithSchedule | undefined;
  /**
   * The id of a schedule to discard after the commit. It has a planned change, which a paid immediate change has
   * replaced. Until then the subscription keeps it at Stripe: see `replacedScheduleOf`.
   */
  replacedSchedule: string | undefined;
  /** Ids of prices that are not configured, and that our copy did not have before the sync. */
  newUnknownPrices: readonly string[];
}

/** A customer after a sync. */
export interface SyncedCustomer {
  customerId: string;
  type: CustomerDocument['type'];
  holding: StoredHolding;
  runningCopies: readonly SubscriptionWithId[];
  ownedPlans: CustomerDocument['ownedPlans'];
  /** Ids of the subscriptions that are being ended as duplicates. */
  markedDuplicates: readonly string[];
}
