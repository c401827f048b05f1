import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../common/durations.ts';
import { LONG_AGO, type CustomerDocument } from '../firestore/documents/customer.ts';
import { refusal } from '../refusals/refusals.ts';
import { dashboardLink } from './stripe/stripe-ids.ts';

/*
 * Rules that several rooms of billing need. They are not in `customers/`, which imports these rooms.
 */

/** A customer whose deletion never completes can buy again after this time. */
const CLOSED_MS = HOUR_MS;

interface StripeCustomer {
  id: string;
  livemode: boolean;
}

/** A user or team that pays at Stripe and has no document in `customers`. Example: somebody has restored a backup. */
export interface LostCustomer extends Pick<CustomerDocument, 'type' | 'email' | 'name'> {
  stripeCustomer: StripeCustomer;
}

/** The document of a new customer without a Stripe customer. */
export function initialCustomer(
  { type, email, name }: Pick<CustomerDocument, 'type' | 'email' | 'name'>,
  now: Date,
): CustomerDocument {
  return { type, email, name, creationKey: randomUUID(), creationKeyAt: now };
}

/**
 * Another key for creating a Stripe customer. Before the next checkout uses the key, it searches for a Stripe customer
 * that a call with the former key has created.
 */
export function nextCreationKey(): Pick<CustomerDocument, 'creationKey' | 'creationKeyAt'> {
  return { creationKey: randomUUID(), creationKeyAt: LONG_AGO };
}

export function stripeFields(customer: StripeCustomer): { stripeId: string; stripeLink: string } {
  return { stripeId: customer.id, stripeLink: dashboardLink('customers', customer) };
}

/** The document of a lost customer, recreated from its Stripe customer. */
export function recreateCustomer(
  lost: LostCustomer,
  holding: Pick<CustomerDocument, 'plan' | 'addOns' | 'ownedPlans'>,
  now: Date,
): CustomerDocument {
  return { ...initialCustomer(lost, now), ...stripeFields(lost.stripeCustomer), ...holding };
}

export function isClosed({ closedAt }: CustomerDocument, now: Date): boolean {
  return closedAt !== undefined && now.getTime() - closedAt.getTime() < CLOSED_MS;
}

/** @throws Refusal `customer_closed`, also if there is no customer */
export function requireOpenCustomer(customer: CustomerDocument | undefined, now: Date): CustomerDocument {
  if (customer === undefined || isClosed(customer, now)) throw refusal('customer_closed');
  return customer;
}
