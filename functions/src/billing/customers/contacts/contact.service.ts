import type { Backend } from '../../../backend.ts';
import { giveUpIfDamaged } from '../../damaged.ts';
import { underLease } from '../../lease.store.ts';
import { guardStripe, isEmailInvalid, isMissing } from '../../stripe/stripe-errors.ts';
import { hasContact, readContacts, type Contact } from './contact.store.ts';

/**
 * Syncs the contact of a customer: gives the Stripe customer the present address and name of the user or team.
 * Idempotent.
 *
 * A lease allows one sync per customer at a time, so an older address never overwrites a newer one. Concurrent tasks
 * fail with 503, are retried by the queue, and then find nothing to do. If the process dies after the call to Stripe,
 * the next sync repeats the call. A damaged document is logged and ends the sync.
 *
 * @param customerId a uid or the id of a team
 * @throws Refusal `busy` while another sync runs
 */
export async function syncContact(backend: Backend, customerId: string): Promise<void> {
  await giveUpIfDamaged(() => syncContactUnderLease(backend, customerId));
}

async function syncContactUnderLease(backend: Backend, customerId: string): Promise<void> {
  await underLease(backend, { customerId, of: 'contact' }, () => updateContact(backend, customerId));
}

/**
 * Without a Stripe customer the stored contact stays, because a request may have sent this contact with the creation
 * key, and Stripe accepts a key only with the same values.
 */
async function updateContact(backend: Backend, customerId: string): Promise<void> {
  const { db } = backend;
  const customer = await db.customers.get(customerId);
  if (customer?.stripeId === undefined) return;
  const contact = (await readContacts(backend, new Map([[customerId, customer]]))).get(customerId);
  if (contact === undefined || hasContact(customer, contact)) return;
  await sendContact(backend, customer.stripeId, contact);
  await db.run(async (tx) => {
    if (await tx.customers.exists(customerId)) tx.customers.update(customerId, { ...contact });
  });
}

/**
 * Sends a contact to Stripe. Empty text removes a value. If Stripe rejects the address, the Stripe customer gets none,
 * so that nothing goes to the former address. Does nothing if the Stripe customer was deleted.
 */
async function sendContact(
  backend: Backend,
  stripeCustomerId: string,
  { email, name }: Contact,
): Promise<void> {
  const { customers } = await backend.stripe();
  const update = (address: string) =>
    customers.update(stripeCustomerId, { email: address, name: name ?? '' });
  await guardStripe(async () => {
    try {
      await update(email ?? '').catch((error: unknown) => {
        if (!isEmailInvalid(error)) throw error;
        return update('');
      });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  });
}
