/*
 * Three functions find the Stripe customer whose metadata name a user or team:
 *
 * | function | looks in | if the Stripe account has no search |
 * | --- | --- | --- |
 * | `findStripeCustomerByMetadata` | the search, then the list of the last hour | the list of the last hour |
 * | `findStripeCustomerBySearch` | the search, then the list of the last hour | throws |
 * | `findStripeCustomerByAddress` | the list of an e-mail address | the same |
 */
import type Stripe from 'stripe';
import { HOUR_MS } from '../../common/durations.ts';
import { logWarning } from '../../common/log.ts';
import { SUBJECT_METADATA_FIELD, type SubjectKey } from '../subject.ts';
import { isInvalidRequest } from './stripe-errors.ts';

/**
 * Finds the Stripe customer of a subject if we have not stored the id of this Stripe customer. Stripe offers no search
 * in some countries. There, a Stripe customer that is older than an hour is not found. Then the subject gets a second
 * Stripe customer, because otherwise every checkout would fail.
 */
export async function findStripeCustomerByMetadata(
  stripe: Stripe,
  subject: SubjectKey,
  now: Date,
): Promise<Stripe.Customer | undefined> {
  try {
    return await findStripeCustomerBySearch(stripe, subject, now);
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    logWarning(`Stripe offers no search to find the Stripe customer of ${subject.customerId}`, error);
    return findRecentStripeCustomer(stripe, subject, now);
  }
}

/**
 * Finds the Stripe customer of a user or team by the metadata alone. Calls Stripe once, and if the search finds
 * nothing, once more for each 100 Stripe customers of the last hour.
 *
 * @throws the error 400 of Stripe if the Stripe account has no search, as in India. https://docs.stripe.com/api/customers/search
 */
export async function findStripeCustomerBySearch(
  stripe: Stripe,
  subject: SubjectKey,
  now: Date,
): Promise<Stripe.Customer | undefined> {
  const quoted = subject.customerId.replace(/[\\']/g, '\\$&');
  const query = `metadata['${SUBJECT_METADATA_FIELD[subject.type]}']:'${quoted}'`;
  const { data } = await stripe.customers.search({ query, limit: 100 });
  // The search ignores case, but the uids of two imported users may differ only in upper and lower case.
  const found = data.find((customer) => belongsTo(customer, subject));
  return found ?? findRecentStripeCustomer(stripe, subject, now);
}

/**
 * The search can miss Stripe customers of the last minute, and during an outage those of the last hour.
 * https://docs.stripe.com/search#data-freshness
 */
function findRecentStripeCustomer(
  stripe: Stripe,
  subject: SubjectKey,
  now: Date,
): Promise<Stripe.Customer | undefined> {
  return findInList(stripe, subject, {
    created: { gte: Math.floor((now.getTime() - HOUR_MS) / 1000) },
  });
}

/**
 * Finds a Stripe customer by the metadata among those with an address. The list has new Stripe customers immediately.
 * One call to Stripe for each 100 with the address.
 */
export function findStripeCustomerByAddress(
  stripe: Stripe,
  subject: SubjectKey,
  email: string,
): Promise<Stripe.Customer | undefined> {
  return findInList(stripe, subject, { email });
}

/** https://docs.stripe.com/api/customers/list */
async function findInList(
  stripe: Stripe,
  subject: SubjectKey,
  filter: Pick<Stripe.CustomerListParams, 'created' | 'email'>,
): Promise<Stripe.Customer | undefined> {
  for await (const customer of stripe.customers.list({ ...filter, limit: 100 })) {
    if (belongsTo(customer, subject)) return customer;
  }
  return undefined;
}

function belongsTo({ metadata }: Stripe.Customer, { type, customerId }: SubjectKey): boolean {
  return metadata[SUBJECT_METADATA_FIELD[type]] === customerId;
}
