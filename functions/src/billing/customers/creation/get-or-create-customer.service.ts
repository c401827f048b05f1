import type { Backend } from '../../../backend.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { newCustomer } from '../../new-customer.ts';
import type { Subject } from '../../subject.ts';
import { isExistingSubject } from '../existing-subject.ts';

/**
 * Reads a customer, or creates it with the values for the Stripe customer: address, name and idempotency key. All
 * requests for a subject send these stored values, even if they are concurrent or follow a crash. If the Stripe
 * extension wrote the document, the missing fields are added.
 *
 * @throws Refusal `customer_closed` or `team_not_found` for a user or team that was deleted since the request began
 * @throws DamagedDocument
 */
export async function getOrCreateCustomer(
  backend: Pick<Backend, 'auth' | 'db' | 'now'>,
  subject: Subject,
): Promise<CustomerDocument> {
  const { customerId } = subject;
  const now = backend.now();
  return backend.db.run(async (tx) => {
    const existing = await tx.customers.get(customerId);
    if (existing === undefined) {
      if (!(await isExistingSubject(backend, tx, subject))) {
        throw refusal(subject.type === 'team' ? 'team_not_found' : 'customer_closed');
      }
      const customer = { ...newCustomer(subject, now), ...firstBuyerOf(subject) };
      tx.customers.create(customerId, customer);
      return customer;
    }
    // If the key is empty, the Stripe extension wrote the document. Our fields are added now.
    if (existing.creationKey !== '') return existing;
    const completed = {
      ...existing,
      ...newCustomer({ ...subject, email: existing.email ?? subject.email }, now),
    };
    tx.customers.update(customerId, completed);
    return completed;
  });
}

/**
 * The first buyer of a team, who gets the invoices. For the responsible owner `contactId` is null, so that after a
 * transfer the new responsible owner gets the invoices.
 */
function firstBuyerOf({ type, callerId, ownerId }: Subject): Pick<CustomerDocument, 'contactId'> {
  return type === 'user' ? {} : { contactId: callerId === ownerId ? null : callerId };
}
