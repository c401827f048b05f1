import type Stripe from 'stripe';

/** The events that this emulator sends. https://docs.stripe.com/api/events/types */
export type EventType = Extract<
  Stripe.Event['type'],
  | `checkout.session.${'completed' | 'expired'}`
  | `customer.${'created' | 'updated' | 'deleted'}`
  | `subscription_schedule.${'canceled' | 'completed' | 'created' | 'released' | 'updated'}`
  | `customer.tax_id.${'created' | 'deleted'}`
  | `customer.subscription.${'created' | 'updated' | 'deleted' | 'paused' | 'resumed' | 'trial_will_end'}`
  | `customer.subscription.${'pending_update_applied' | 'pending_update_expired'}`
  | `invoice.${'created' | 'updated' | 'finalized' | 'paid' | 'payment_succeeded' | 'payment_failed'}`
  | `invoice.${'payment_action_required' | 'sent' | 'voided' | 'marked_uncollectible'}`
  | `billing_portal.configuration.${'created' | 'updated'}`
  | 'billing_portal.session.created'
  | `charge.${'failed' | 'refunded' | 'succeeded'}`
  | `charge.dispute.${'closed' | 'created' | 'funds_reinstated' | 'funds_withdrawn' | 'updated'}`
  | `refund.${'created' | 'failed' | 'updated'}`
  | `credit_note.${'created' | 'updated'}`
  | `payment_link.${'created' | 'updated'}`
  | `payment_intent.${'created' | 'payment_failed' | 'succeeded'}`
  | `billing.meter.${'created' | 'updated' | 'deactivated' | 'reactivated'}`
  | 'entitlements.active_entitlement_summary.updated'
  | `coupon.${'created' | 'updated' | 'deleted'}`
  | `customer.discount.${'created' | 'deleted'}`
  | `promotion_code.${'created' | 'updated'}`
  | `invoiceitem.${'created' | 'deleted'}`
  | `payment_method.${'attached' | 'detached' | 'updated'}`
  | `product.${'created' | 'updated' | 'deleted'}`
  | `price.${'created' | 'updated'}`
  | `test_helpers.test_clock.${'created' | 'advancing' | 'ready' | 'deleted'}`
>;

/** The API request that caused an event. Both are null for a hosted page or the passing of time. */
export interface RequestOrigin {
  id: string | null;
  idempotency_key: string | null;
}

export interface Event {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: Record<string, unknown> };
  livemode: false;
  pending_webhooks: number;
  request: RequestOrigin;
  type: EventType;
}
