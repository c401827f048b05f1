import type Stripe from 'stripe';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { SubjectKey } from '../subject.ts';
import { isEmailInvalid } from './stripe-errors.ts';
import { SUBJECT_METADATA } from './subject-metadata.ts';

type CreationValues = Pick<CustomerDocument, 'email' | 'name' | 'creationKey'>;

/**
 * Creates the Stripe customer of a user or team. Idempotent for as long as Stripe keeps the key.
 *
 * If Stripe rejects the address, a second call omits the address, and the checkout page asks for one. The second call
 * has another key, because Stripe repeats the error for the first key.
 */
export async function createStripeCustomer(
  stripe: Stripe,
  subject: SubjectKey,
  values: CreationValues,
): Promise<Stripe.Customer> {
  const { creationKey } = values;
  try {
    return await create(stripe, subject, values, `customer-${creationKey}`);
  } catch (error) {
    if (!isEmailInvalid(error)) throw error;
    return create(stripe, subject, { ...values, email: null }, `customer-${creationKey}-no-email`);
  }
}

function create(
  stripe: Stripe,
  { type, customerId }: SubjectKey,
  { email, name }: CreationValues,
  idempotencyKey: string,
): Promise<Stripe.Customer> {
  return stripe.customers.create(
    {
      metadata: { [SUBJECT_METADATA[type]]: customerId },
      ...(email !== null && { email }),
      ...(name !== null && { name }),
    },
    { idempotencyKey },
  );
}

/**
 * Finds the Stripe customer of a user or team by the metadata. A Stripe customer that was created less than a minute
 * ago may be missing from the search. https://docs.stripe.com/search#data-freshness
 */
export async function findStripeCustomer(
  stripe: Stripe,
  { type, customerId }: SubjectKey,
): Promise<Stripe.Customer | undefined> {
  const quoted = customerId.replace(/[\\']/g, '\\$&');
  const query = `metadata['${SUBJECT_METADATA[type]}']:'${quoted}'`;
  return (await stripe.customers.search({ query, limit: 1 })).data[0];
}
