import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import { GRANTED } from './status.ts';

/** A granted plan: a comped plan, or one that was bought in an app store. */
export interface Grant {
  /** Slug of the plan. */
  planSlug: string;
  /** When the plan ends; null if the plan has ended. */
  until: Date | null;
}

/** A granted plan has the shape of a subscription, so that one query finds all plans of a customer. */
export function grantDocument({ planSlug, until }: Grant, now: Date): SubscriptionDocument {
  return {
    status: GRANTED,
    role: planSlug,
    metadata: {},
    items: [],
    price: null,
    product: null,
    prices: [],
    priceId: null,
    quantity: null,
    cancel_at_period_end: false,
    created: now,
    current_period_start: now,
    current_period_end: until,
    cancel_at: null,
    canceled_at: null,
    ended_at: null,
    trial_start: null,
    trial_end: null,
    past_due_since: null,
    grace_until: until,
    collection_paused: null,
    latest_invoice: null,
    schedule: null,
    stripeLink: '',
  };
}
