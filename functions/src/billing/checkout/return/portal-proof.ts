import type { Backend } from '../../../backend.ts';
import { openKeyedHash } from '../../../personal-data/keyed-hash.ts';

/** Makes the proof that a portal was opened for a customer. The proof only gives the right to sync the customer. */
export async function portalProof({ db, now }: Backend, customerId: string): Promise<string> {
  return (await openKeyedHash(db, now()))('portal', customerId);
}
