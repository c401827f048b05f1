import type { Backend } from '../../../backend.ts';
import { logWarning } from '../../../common/log.ts';
import { hasCustomer } from '../../../teams/team.ts';

/**
 * Call it after the new name or address of a user is stored.
 *
 * - A name concerns the user's own Stripe customer. Reads one document.
 * - An address also concerns the teams that the user bought for or is responsible owner of. Reads three documents or
 *   more.
 *
 * A failure is logged. The reconciliation syncs the contacts later.
 */
export async function enqueueContactSyncsOrLog(
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

async function teamCustomersOf({ db }: Backend, uid: string): Promise<string[]> {
  const [bought, owned] = await Promise.all([
    db.customers.where('contactId', '==', uid).findPlaces(),
    db.teams.where('ownerId', '==', uid).findIntact(),
  ]);
  const customers = owned.filter(({ data }) => hasCustomer(data));
  return [...bought, ...customers].map(({ id }) => id);
}
