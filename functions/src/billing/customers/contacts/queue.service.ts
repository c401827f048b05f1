import type { Backend } from '../../../backend.ts';
import { logWarning } from '../../../common/log.ts';
import { isOrWasCustomer } from '../../../teams/team.ts';

/**
 * Queues contact syncs after the name or the address of a user has changed. Both concern the user's own Stripe
 * customer. An address also concerns the teams that the user bought for or is responsible owner of. Call it after the
 * change is stored.
 *
 * Reads: one for a name. For an address one more for each of those teams, at least two more.
 *
 * A failure is only logged: the change is stored already, and the reconciliation syncs the contacts later.
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
  const customers = owned.filter(({ data }) => isOrWasCustomer(data));
  return [...bought, ...customers].map(({ id }) => id);
}
