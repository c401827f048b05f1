import type { Backend } from '../../../backend.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { newCustomer } from '../../new-customer.ts';
import type { Subject } from '../../subject.ts';
import { isExistingSubject } from '../existing-subject.ts';

/**
 * Reads a customer, or creates it with everything that the creation at Stripe needs: address, name and idempotency key.
 * So all requests for a subject send Stripe the same call, even if they run at the same time or a process dies in
 * between. A document that the Stripe extension wrote gets the fields that it lacks.
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
    // An empty key marks a document that the Stripe extension wrote. It gets our fields now.
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
 * The first buyer of a team: the invoices of the team go to this user. `contactId` is null if the responsible owner
 * buys: after a transfer the invoices go to the new responsible owner.
 */
function firstBuyerOf({ type, callerId, ownerId }: Subject): Pick<CustomerDocument, 'contactId'> {
  return type === 'user' ? {} : { contactId: callerId === ownerId ? null : callerId };
}
