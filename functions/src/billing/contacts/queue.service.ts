import type { Backend } from '../../backend.ts';
import { logWarning } from '../../common/log.ts';

/**
 * Queues a sync of the contacts that have the name or the address of a user: of the user, and for an address also of the
 * teams that they bought for or whose responsible owner they are. Call it after the change is stored. Reads one document for
 * a name, and for an address one more for each of those teams, at least two.
 *
 * A failure is only logged: the change is stored already, and the reconciliation syncs the contacts later.
 */
export async function queueContactSyncs(
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
    db.customers.where('contactId', '==', uid).places(),
    db.teams.where('ownerId', '==', uid).findIntact(),
  ]);
  const subscribed = owned.filter(({ data }) => data.subscribed !== undefined);
  return [...bought, ...subscribed].map(({ id }) => id);
}
