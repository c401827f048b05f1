import { HOUR_MS } from '../../common/durations.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import { refusal } from '../../refusals/refusals.ts';

/**
 * How long a customer stays closed, unless the deletion removes its document earlier. If the deletion never completes,
 * the customer can buy again after this time.
 */
const CLOSED_MS = HOUR_MS;

export function isClosed({ closedAt }: CustomerDocument, now: Date): boolean {
  return closedAt !== undefined && now.getTime() - closedAt.getTime() < CLOSED_MS;
}

/** @throws Refusal `customer_closed`, also if there is no customer */
export function requireOpenCustomer(customer: CustomerDocument | undefined, now: Date): CustomerDocument {
  if (customer === undefined || isClosed(customer, now)) throw refusal('customer_closed');
  return customer;
}
