import type Stripe from 'stripe';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import type { LostCustomer } from '../../new-customer.ts';
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
  /** If the subscription is running, a missing customer document is recreated from this data. */
  lostCustomer?: LostCustomer | undefined;
  /**
   * The subscription as Stripe has listed it, with its latest invoice. If our copy is older than the list, this saves a
   * call to Stripe.
   */
  listed?: Listed | undefined;
}

/** A customer after the sync of one of their subscriptions. */
export interface SyncResult extends ClaimsInput {
  type: CustomerDocument['type'];
  /**
   * The line item of the synced subscription that pays for a plan. Undefined if there is none or the subscription has
   * ended.
   */
  planItem: PlanItem | undefined;
  /** Ids of prices that are not configured, and that our copy did not have before the sync. */
  newUnknownPrices: readonly string[];
  /** The customer's running subscriptions. */
  running: readonly StoredSubscription[];
  /** Ids of the subscriptions that are being ended as duplicates, as the customer's document stores them. */
  decidedDuplicates: readonly string[];
}
