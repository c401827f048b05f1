import type { Backend } from '../../../backend.ts';
import { openKeyedHash } from '../../../personal-data/keyed-hash.ts';

/**
 * Proves that a portal was opened for a customer. The proof gives the right to sync the customer, and no other right.
 */
export async function portalProof({ db, now }: Backend, customerId: string): Promise<string> {
  return (await openKeyedHash(db, now()))('portal', customerId);
}
