import type { Backend } from '../../../backend.ts';
import { logWarning } from '../../../common/log.ts';
import { isCustomer } from '../../../teams/team.ts';

/**
 * Enqueues the contact syncs after the name or address of a user has changed. Call it after the new value is stored.
 *
 * - A name concerns the user's own Stripe customer. Reads one document.
 * - An address also concerns the teams whose first buyer or responsible owner is the user. Reads three documents or
 *   more.
 *
 * A failure is logged. The reconciliation then syncs the contacts.
 */
export async function enqueueUserContactSyncsOrLog(
  backend: Backend,
  uid: string,
  changed: 'name' | 'address',
): Promise<void> {
  const { db } = backend;
  try {
    const own = (await db.customers.exists(uid)) ? [uid] : [];
    const ofTeams = changed === 'address' ? await teamCustomersOf(backend, uid) : [];
    for (const customerId of new Set([...own, ...ofTeams])) await backend.enqueueContactSync(customerId);
  } catch (error) {
    logWarning(`The billing contacts of the user ${uid} wait for the reconciliation.`, error);
  }
}

/** Enqueues the contact sync of one customer. A failure is logged. The reconciliation then syncs the contact. */
export async function enqueueCustomerContactSyncOrLog(
  backend: Pick<Backend, 'enqueueContactSync'>,
  customerId: string,
): Promise<void> {
  try {
    await backend.enqueueContactSync(customerId);
  } catch (error) {
    logWarning(`The billing contact of ${customerId} waits for the reconciliation.`, error);
  }
}

async function teamCustomersOf({ db }: Backend, uid: string): Promise<string[]> {
  const [bought, owned] = await Promise.all([
    db.customers.where('firstBuyerId', '==', uid).findPlaces(),
    db.teams.where('ownerId', '==', uid).findIntact(),
  ]);
  const customers = owned.filter(({ data }) => isCustomer(data));
  return [...bought, ...customers].map(({ id }) => id);
}
