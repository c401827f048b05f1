import type { Backend } from '../../../backend.ts';
import { skipIfDamaged } from '../../../firestore/damage.ts';
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
  await skipIfDamaged(() => syncContactUnderLease(backend, customerId));
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
  await sendContact(backend, customer.stripeId, changesOf(customer, contact));
  await db.run(async (tx) => {
    if (await tx.customers.exists(customerId)) tx.customers.update(customerId, { ...contact });
  });
}

/** In the form of Stripe: empty text removes a value. */
type ContactChanges = { email?: string; name?: string };

/**
 * The fields that differ from what Stripe received last. The others may have been changed at Stripe on purpose: the
 * checkout page writes the name of a business, and a customer can enter an address in the portal.
 */
function changesOf(stored: Contact, { email, name }: Contact): ContactChanges {
  return {
    ...(email !== stored.email && { email: email ?? '' }),
    ...(name !== stored.name && { name: name ?? '' }),
  };
}

/**
 * If Stripe rejects the address, the Stripe customer gets no address, so that nothing goes to the former address. Does
 * nothing if the Stripe customer was deleted.
 */
async function sendContact(
  backend: Backend,
  stripeCustomerId: string,
  changes: ContactChanges,
): Promise<void> {
  const { customers } = await backend.stripe();
  await withStripeRefusals(async () => {
    try {
      await customers.update(stripeCustomerId, changes).catch((error: unknown) => {
        if (!isEmailInvalid(error)) throw error;
        return customers.update(stripeCustomerId, { ...changes, email: '' });
      });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  });
}
