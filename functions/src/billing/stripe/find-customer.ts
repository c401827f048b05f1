import type Stripe from 'stripe';
import { HOUR_MS } from '../../common/durations.ts';
import { logWarning } from '../../common/log.ts';
import { SUBJECT_METADATA, type SubjectKey } from '../subject.ts';
import { isInvalidRequest } from './stripe-errors.ts';

/**
 * Finds a Stripe customer by its address and by the metadata of the subject. A list has new Stripe customers
 * immediately, and every account has lists. Makes no call without an address, otherwise one for each 100 Stripe
 * customers with this address. https://docs.stripe.com/api/customers/list
 */
export async function findByAddress(
  stripe: Stripe,
  subject: SubjectKey,
  email: string | null,
): Promise<Stripe.Customer | undefined> {
  return email === null ? undefined : firstOf(stripe.customers.list({ email, limit: 100 }), subject);
}

/**
 * Finds a Stripe customer whose address has changed or is missing. An account without a search finds only those of the
 * last hour. For an older one the subject gets a second Stripe customer, instead of an error at every checkout.
 */
export async function findOrphan(
  stripe: Stripe,
  subject: SubjectKey,
  now: Date,
): Promise<Stripe.Customer | undefined> {
  try {
    return await findStripeCustomer(stripe, subject, now);
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    logWarning(`Stripe offers no search to find the Stripe customer of ${subject.customerId}`, error);
    return findNewStripeCustomer(stripe, subject, now);
  }
}

async function firstOf(
  customers: AsyncIterable<Stripe.Customer>,
  { type, customerId }: SubjectKey,
): Promise<Stripe.Customer | undefined> {
  for await (const customer of customers) {
    if (customer.metadata[SUBJECT_METADATA[type]] === customerId) return customer;
  }
  return undefined;
}

/**
 * Finds the Stripe customer of a user or team by the metadata alone. Calls Stripe once, and if the search finds
 * nothing, once more for each 100 Stripe customers of the last hour.
 *
 * @throws the error 400 of Stripe if the account has no search, as in India. https://docs.stripe.com/api/customers/search
 */
export async function findStripeCustomer(
  stripe: Stripe,
  subject: SubjectKey,
  now: Date,
): Promise<Stripe.Customer | undefined> {
  return (await searchStripeCustomer(stripe, subject)) ?? findNewStripeCustomer(stripe, subject, now);
}

async function searchStripeCustomer(
  stripe: Stripe,
  { type, customerId }: SubjectKey,
): Promise<Stripe.Customer | undefined> {
  const quoted = customerId.replace(/[\\']/g, '\\$&');
  const query = `metadata['${SUBJECT_METADATA[type]}']:'${quoted}'`;
  return (await stripe.customers.search({ query, limit: 1 })).data[0];
}

/**
 * The search can miss Stripe customers of the last minute, and during an outage those of the last hour. A list has them
 * immediately. https://docs.stripe.com/search#data-freshness
 */
async function findNewStripeCustomer(
  stripe: Stripe,
  subject: SubjectKey,
  now: Date,
): Promise<Stripe.Customer | undefined> {
  const created = { gte: Math.floor((now.getTime() - HOUR_MS) / 1000) };
  return firstOf(stripe.customers.list({ created, limit: 100 }), subject);
}
