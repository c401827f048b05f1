import type { Backend } from '../../../backend.ts';
import { giveUpIfDamaged } from '../../damaged.ts';
import { underLease } from '../../lease.store.ts';
import { withStripeRefusals, isEmailInvalid, isMissing } from '../../stripe/stripe-errors.ts';
import { hasContact, readContacts, type Contact } from './contact.store.ts';

/**
 * Gives the Stripe customer the present address and name of the user or team. Idempotent.
 *
 * A lease allows one sync per customer at a time: an older address must not overwrite a newer one. The queue retries a
 * task that found the lease taken.
 *
 * @throws Refusal `busy` while another sync runs
 */
export async function syncContact(backend: Backend, customerId: string): Promise<void> {
  await giveUpIfDamaged(() => syncContactUnderLease(backend, customerId));
}

async function syncContactUnderLease(backend: Backend, customerId: string): Promise<void> {
  await underLease(backend, { customerId, of: 'contact' }, () => updateContact(backend, customerId));
}

async function updateContact(backend: Backend, customerId: string): Promise<void> {
  const { db } = backend;
  const customer = await db.customers.get(customerId);
  // A request may be sending the stored contact with the creation key. Stripe accepts a key only with the same values.
  if (customer?.stripeId === undefined) return;
  const contact = (await readContacts(backend, new Map([[customerId, customer]]))).get(customerId);
  if (contact === undefined || hasContact(customer, contact)) return;
  await sendContact(backend, customer.stripeId, contact);
  await db.run(async (tx) => {
    if (await tx.customers.exists(customerId)) tx.customers.update(customerId, { ...contact });
  });
}

/**
 * Empty text removes a value at Stripe. If Stripe rejects the address, the Stripe customer gets none, so that nothing
 * goes to the former address. Does nothing if the Stripe customer was deleted.
 */
async function sendContact(
  backend: Backend,
  stripeCustomerId: string,
  { email, name }: Contact,
): Promise<void> {
  const { customers } = await backend.stripe();
  const update = (address: string) =>
    customers.update(stripeCustomerId, { email: address, name: name ?? '' });
  await withStripeRefusals(async () => {
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
