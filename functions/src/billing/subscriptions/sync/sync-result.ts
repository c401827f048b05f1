import type Stripe from 'stripe';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import type { LostCustomer } from '../../customer.ts';
import type { EventHead } from '../../stripe/processed-events.ts';
import type { ClaimsInput } from '../holding.ts';
import type { PlanItem } from '../plan-item.ts';
import type { StoredSubscription } from '../stored-subscription.ts';

/** A subscription from a list at Stripe. */
export interface Listed {
  subscription: Stripe.Subscription;
  /** When the list was requested. */
  at: Date;
}

export interface SyncOptions {
  /**
   * The event that reported a change. The sync records it as processed, and a second sync for the event changes no
   * document.
   */
  event?: EventHead | undefined;
  /** Data to recreate the document of a lost customer. This data is used only if the subscription is running. */
  lostCustomer?: LostCustomer | undefined;
  /**
   * The subscription as Stripe has listed it, with its latest invoice. If our copy is older than the list, this saves a
   * call to Stripe.
   */
  listed?: Listed | undefined;
}

/**
 * The outcome of the sync of one subscription. `planItem` and `newUnknownPrices` are about this subscription, and all
 * other fields about its customer. A function that syncs several subscriptions, such as `syncAndResolveOverlaps`,
 * returns the result of its last sync.
 */
export interface SyncResult extends ClaimsInput {
  type: CustomerDocument['type'];
  /**
   * The line item of the synced subscription that pays for a plan. Undefined if no item does, or if the subscription
   * has ended.
   */
  planItem: PlanItem | undefined;
  /** Ids of prices that are not configured, and that our copy did not have before the sync. */
  newUnknownPrices: readonly string[];
  /** The customer's running subscriptions. */
  running: readonly StoredSubscription[];
  /** Ids of the subscriptions that are being ended as duplicates, as the customer's document stores them. */
  decidedDuplicates: readonly string[];
}
