import type { Backend } from '../../../backend.ts';
import { enqueueOrLog } from '../../../task-queues.ts';

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
  { changed }: { changed: 'name' | 'address' },
): Promise<void> {
  await enqueueOrLog(`contact sync of user ${uid}`, async () => {
    const own = (await backend.db.customers.exists(uid)) ? [uid] : [];
    const ofTeams = changed === 'address' ? await teamCustomersOf(backend, uid) : [];
    for (const customerId of new Set([...own, ...ofTeams])) await backend.enqueueContactSync(customerId);
  });
}

/** Enqueues the contact sync of one customer. A failure is logged. The reconciliation then syncs the contact. */
export async function enqueueCustomerContactSyncOrLog(
  backend: Pick<Backend, 'enqueueContactSync'>,
  customerId: string,
): Promise<void> {
  await enqueueOrLog(`contact sync of customer ${customerId}`, () => backend.enqueueContactSync(customerId));
}

async function teamCustomersOf({ db }: Backend, uid: string): Promise<string[]> {
  const [ofFirstBuyer, ownedTeams] = await Promise.all([
    db.customers.where('firstBuyerId', '==', uid).findPaths(),
    db.teams.where('ownerId', '==', uid).findIntact(),
  ]);
  const customers = ownedTeams.filter(({ data }) => data.isCustomer === true);
  return [...ofFirstBuyer, ...customers].map(({ id }) => id);
}
