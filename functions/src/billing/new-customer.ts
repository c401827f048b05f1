import { randomUUID } from 'node:crypto';
import type { CustomerDocument } from '../firestore/documents/customer.ts';
import { dashboardLink } from './stripe/stripe-ids.ts';

interface StripeCustomer {
  id: string;
  livemode: boolean;
}

/** A user or team with a Stripe customer but without a document here, for example after a backup was restored. */
export interface LostCustomer extends Pick<CustomerDocument, 'type' | 'email' | 'name'> {
  stripeCustomer: StripeCustomer;
}

/** The document of a new customer, which is not linked to a Stripe customer yet. */
export function newCustomer(
  { type, email, name }: Pick<CustomerDocument, 'type' | 'email' | 'name'>,
  now: Date,
): CustomerDocument {
  return { type, email, name, creationKey: randomUUID(), creationKeyAt: now };
}

/**
 * Another key for creating a Stripe customer. A call with the former key may have created one, so
 * `creationKeyAt` is 0: the key counts as expired, and the next checkout searches first.
 */
export function nextCreationKey(): Pick<CustomerDocument, 'creationKey' | 'creationKeyAt'> {
  return { creationKey: randomUUID(), creationKeyAt: new Date(0) };
}

/** The document of a lost customer, recreated from its Stripe customer. */
export function recreateCustomer(
  lost: LostCustomer,
  holding: Pick<CustomerDocument, 'plan' | 'addOns'>,
  now: Date,
): CustomerDocument {
  return { ...newCustomer(lost, now), ...stripeFields(lost.stripeCustomer), ...holding };
}

export function stripeFields(customer: StripeCustomer): { stripeId: string; stripeLink: string } {
  return { stripeId: customer.id, stripeLink: dashboardLink('customers', customer) };
}
