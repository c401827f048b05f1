import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { HOUR_MS } from '../../common/durations.ts';
import { logFault } from '../../common/log.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import { findStripeCustomerByAddress, findStripeCustomerByMetadata } from '../stripe/find-customer.ts';
import { withStripeRefusals, isEmailInvalid, isMissing, needsNewKeyAfter } from '../stripe/stripe-errors.ts';
import { isLinkOfLiveMode } from '../stripe/stripe-ids.ts';
import { SUBJECT_METADATA_FIELD, type Subject, type SubjectKey } from '../subject.ts';
import { replaceCreationKey, linkOrGetLinkedId } from './customer.store.ts';
import { getOrCreateOurCustomer } from './our-customer.service.ts';
import { syncSubscriptionsAndUnlink } from './stripe-customer-deleted.service.ts';

/**
 * One hour less than Stripe keeps idempotency keys, for clocks that differ.
 * https://docs.stripe.com/api/idempotent_requests
 */
const KEY_LIFE_MS = 23 * HOUR_MS;

/**
 * Runs `work` with the id of the subject's Stripe customer. If it fails because Stripe no longer has the Stripe
 * customer, `work` runs once more with a new one. Therefore `work` must be safe to repeat, also its writes to
 * Firestore.
 *
 * @throws Refusal `customer_closed` or `team_not_found` for a user or team that was deleted meanwhile
 */
export async function withStripeCustomer<Value>(
  backend: Backend,
  subject: Subject,
  work: (stripeCustomerId: string) => Promise<Value>,
): Promise<Value> {
  return withStripeRefusals(async () => {
    const id = await ensureStripeCustomer(backend, subject);
    try {
      return await work(id);
    } catch (error) {
      if (!isMissing(error, 'customer') || !(await isGoneAtStripe(backend, subject.customerId, id)))
        throw error;
      await syncSubscriptionsAndUnlink(backend, subject.customerId, id);
      return work(await ensureStripeCustomer(backend, subject));
    }
  });
}

/**
 * True if the Stripe customer is gone:
 *
 * - Stripe has deleted it: true.
 * - Stripe does not know it, and it is of test mode: true. Somebody may have deleted the test data.
 * - Stripe does not know it, and it is of live mode: false. Stripe never forgets a Stripe customer of live mode, so the
 *   secret key must be wrong. This is logged.
 *
 * The stored link to the dashboard shows the mode.
 */
async function isGoneAtStripe(
  { db, stripe }: Backend,
  customerId: string,
  stripeCustomerId: string,
): Promise<boolean> {
  const { customers } = await stripe();
  try {
    return (await customers.retrieve(stripeCustomerId)).deleted === true;
  } catch (error) {
    if (!isMissing(error)) throw error;
    const { stripeLink } = (await db.customers.get(customerId)) ?? {};
    if (!isLinkOfLiveMode(stripeLink)) return true;
    logFault(
      'Stripe does not know a customer. Check STRIPE_SECRET_KEY',
      { customerId, stripeCustomerId },
      error,
    );
    return false;
  }
}

/**
 * Returns the id of the Stripe customer:
 *
 * 1. The id in our document.
 * 2. Otherwise the id of a Stripe customer with the same e-mail address, if its metadata name the subject. Our document
 *    may have lost the id, for example because somebody has restored a backup.
 * 3. Otherwise, if the stored idempotency key (`creationKey`) is older than `KEY_LIFE_MS`, or has replaced another key
 *    after an error: the id of a Stripe customer that a search for the metadata finds. Stripe has forgotten an old
 *    key. After an error, Stripe may have created a customer nevertheless. In both cases step 4 could create a second
 *    one.
 * 4. Otherwise a Stripe customer is created with the key. A process may have died after creating the Stripe customer
 *    and before storing its id. Stripe answers the repeated key with this Stripe customer.
 *
 * @throws Refusal as `getOrCreateOurCustomer`
 */
export async function ensureStripeCustomer(backend: Backend, subject: Subject): Promise<string> {
  const now = backend.now();
  const customer = await getOrCreateOurCustomer(backend, subject);
  if (customer.stripeId !== undefined) return customer.stripeId;
  const stripe = await backend.stripe();
  const { email } = customer;
  const foundByAddress =
    email === null ? undefined : await findStripeCustomerByAddress(stripe, subject, email);
  if (foundByAddress !== undefined) return linkOrGetLinkedId(backend.db, subject.customerId, foundByAddress);
  // After an error `creationKeyAt` is `LONG_AGO`, so this is true then too.
  const mayExistAtStripe = now.getTime() - customer.creationKeyAt.getTime() > KEY_LIFE_MS;
  const found = mayExistAtStripe ? await findStripeCustomerByMetadata(stripe, subject, now) : undefined;
  const stripeCustomer = found ?? (await createStripeCustomer(backend, subject, customer));
  return linkOrGetLinkedId(backend.db, subject.customerId, stripeCustomer);
}

async function createStripeCustomer(
  backend: Backend,
  subject: Subject,
  customer: CustomerDocument,
): Promise<Stripe.Customer> {
  try {
    return await createDespiteBadEmail(await backend.stripe(), subject, customer);
  } catch (error) {
    // Stripe would repeat this error for the key.
    if (needsNewKeyAfter(error))
      await replaceCreationKey(backend.db, subject.customerId, customer.creationKey);
    throw error;
  }
}

type CreationValues = Pick<CustomerDocument, 'email' | 'name' | 'creationKey'>;

/**
 * If Stripe rejects the address, a second call omits the address, and the checkout page asks for one. The second call
 * has another key, because Stripe repeats the error for the first key.
 */
async function createDespiteBadEmail(
  stripe: Stripe,
  subject: SubjectKey,
  values: CreationValues,
): Promise<Stripe.Customer> {
  const { creationKey } = values;
  try {
    return await createWithKey(stripe, subject, values, `customer-${creationKey}`);
  } catch (error) {
    if (!isEmailInvalid(error)) throw error;
    return createWithKey(stripe, subject, { ...values, email: null }, `customer-${creationKey}-no-email`);
  }
}

function createWithKey(
  stripe: Stripe,
  { type, customerId }: SubjectKey,
  { email, name }: CreationValues,
  idempotencyKey: string,
): Promise<Stripe.Customer> {
  return stripe.customers.create(
    {
      metadata: { [SUBJECT_METADATA_FIELD[type]]: customerId },
      ...(email !== null && { email }),
      ...(name !== null && { name }),
    },
    { idempotencyKey },
  );
}
