import type { Backend } from '../../backend.ts';
import { isWrittenByExtension, type CustomerDocument } from '../../firestore/documents/customer.ts';
import { refusal } from '../../refusals/refusals.ts';
import { initialCustomer } from '../customer-rules.ts';
import type { Subject } from '../subject.ts';
import { tryCreateCustomer } from './new-customer.store.ts';

/**
 * Reads our customer and stores missing fields, or creates our customer. The document has the values for creating the
 * Stripe customer: address, name and idempotency key. Concurrent requests, and requests after a crash, send these
 * stored values to Stripe.
 *
 * @throws Refusal `customer_closed` or `team_not_found` for a user or team that was deleted since the request began
 * @throws DamagedDocument
 */
export async function getOrCreateOurCustomer(
  backend: Pick<Backend, 'auth' | 'db' | 'now'>,
  subject: Subject,
): Promise<CustomerDocument> {
  const { customerId } = subject;
  const now = backend.now();
  return backend.db.run(async (tx) => {
    const existing = await tx.customers.get(customerId);
    if (existing === undefined) {
      const customer = { ...initialCustomer(subject, now), ...firstBuyerOf(subject) };
      if (await tryCreateCustomer(backend, tx, customerId, customer)) return customer;
      throw refusal(subject.type === 'team' ? 'team_not_found' : 'customer_closed');
    }
    const missing = missingFields(existing, subject, now);
    if (missing === undefined) return existing;
    tx.customers.update(customerId, missing);
    return { ...existing, ...missing };
  });
}

/** Fields to add to a document that the Stripe extension or a granted plan has created before the first checkout. */
function missingFields(
  customer: CustomerDocument,
  subject: Subject,
  now: Date,
): Partial<CustomerDocument> | undefined {
  if (isWrittenByExtension(customer)) return fieldsForExtensionDocument(customer, subject, now);
  if (subject.type === 'user') return undefined;
  // A team with neither a first buyer nor a Stripe customer has only a granted plan: the caller becomes the first
  // buyer. A team with a Stripe customer and no first buyer was adopted, and gets none.
  const hasOpenedNothing = customer.stripeId === undefined && customer.firstBuyerId === undefined;
  return hasOpenedNothing ? firstBuyerOf(subject) : undefined;
}

/**
 * The fields that complete a document of the extension: a new idempotency key, and the contact.
 *
 * - With a Stripe customer, `email` and `name` stay as they are: Stripe has these values, and only the contact sync
 *   changes them.
 * - Without a Stripe customer, the extension has stored at most the address. The subject gives the rest.
 */
function fieldsForExtensionDocument(
  { email, name, stripeId: stripeCustomerId }: CustomerDocument,
  subject: Subject,
  now: Date,
): Partial<CustomerDocument> {
  const contact =
    stripeCustomerId === undefined ? { email: email ?? subject.email, name: subject.name } : { email, name };
  return initialCustomer({ type: subject.type, ...contact }, now);
}

/**
 * The first buyer of a team gets the invoices, if the team has no billing address. The responsible owner is stored as
 * null, so that after a transfer the new responsible owner gets them.
 */
function firstBuyerOf({ type, actor, ownerId }: Subject): Pick<CustomerDocument, 'firstBuyerId'> {
  return type === 'user' ? {} : { firstBuyerId: actor.uid === ownerId ? null : actor.uid };
}
