import type { Backend } from '../../../backend.ts';
import { giveUpIfDamaged } from '../../../firestore/damage.ts';
import { underLease } from '../../lease.store.ts';
import { withStripeRefusals, isEmailInvalid, isMissing } from '../../stripe/stripe-errors.ts';
import { isSameContact, readContacts, type Contact } from './contact.store.ts';

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
  await underLease(backend, { customerId, kind: 'contact' }, () => updateContact(backend, customerId));
}

async function updateContact(backend: Backend, customerId: string): Promise<void> {
  const { db } = backend;
  const customer = await db.customers.get(customerId);
  // Without a Stripe customer, the stored contact must not change. A request may be sending the contact with the
  // creation key, and Stripe accepts a repeated key only with the same values. The reconciliation syncs the contact
  // later.
  if (customer?.stripeId === undefined) return;
  const contact = (await readContacts(backend, new Map([[customerId, customer]]))).get(customerId);
  if (contact === undefined || isSameContact(customer, contact)) return;
  await sendContact(backend, customer.stripeId, contact);
  await db.run(async (tx) => {
    if (await tx.customers.exists(customerId)) tx.customers.update(customerId, { ...contact });
  });
}

/**
 * Empty text removes a value at Stripe. If Stripe rejects the address, the Stripe customer gets no address, so that
 * nothing goes to the former address. Does nothing if the Stripe customer was deleted.
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
