import { DamagedDocument, damageAsValue } from '../../../firestore/damage.ts';
import type { Db } from '../../../firestore/db.ts';
import type { Trial } from '../../../firestore/documents/trial.ts';
import { findHashFunction, type HashFunction } from '../../../personal-data/keyed-hash.ts';
import type { UserToForget } from '../../../personal-data/purge.ts';
import { trialIdOf } from './trial.store.ts';

/** The trials of a user and of their address. Leaves out a damaged document. Reads three documents. */
export async function trialsOf(
  db: Db,
  { uid, email }: { uid: string; email: string | undefined },
): Promise<(Omit<Trial, 'addressId'> & { of: 'account' | 'address' })[]> {
  const hash = await findHashFunction(db);
  const addressIds = hash === undefined || email === undefined ? [] : [trialIdOf(hash, email)];
  const trials = await db.trials.getAllIntact([uid, ...addressIds]);
  return [...trials].map(([id, { customerId, reservedAt, usedAt }]) => ({
    of: id === uid ? 'account' : 'address',
    customerId,
    reservedAt,
    ...(usedAt !== undefined && { usedAt }),
  }));
}

/**
 * Moves the trial of a deleted account from the uid to the addresses. The address may have changed since the trial was
 * reserved:
 *
 * - A used trial counts for the old address and, if it is verified, for the new one.
 * - A reserved trial stays reserved for the old address, unless another account has reserved or used it since.
 */
export async function moveTrial(db: Db, hash: HashFunction, user: UserToForget, now: Date): Promise<void> {
  const { uid, verifiedEmail, pseudonym } = user;
  await db.run(async (tx) => {
    const stored = await damageAsValue(tx.trials.get(uid));
    if (stored === undefined) return;
    // A damaged document counts as a used trial, so that it does not prevent the deletion.
    const usedNow: Trial = { customerId: uid, reservedAt: now, usedAt: now };
    const { addressId: oldAddressId, ...trial } = stored instanceof DamagedDocument ? usedNow : stored;
    const isUsed = trial.usedAt !== undefined;
    const newAddressId = isUsed && verifiedEmail !== undefined ? trialIdOf(hash, verifiedEmail) : undefined;
    const addressIds = new Set([oldAddressId, newAddressId].filter((id) => id !== undefined));
    const ofAddresses = await tx.trials.getWithDamaged(addressIds);
    const customerId = trial.customerId === uid ? pseudonym : trial.customerId;
    for (const id of addressIds) {
      const mayWrite = isUsed || isFreeFor(ofAddresses.get(id), trial.customerId);
      if (mayWrite) tx.trials.set(id, { ...trial, customerId });
    }
    tx.trials.delete(uid);
  });
}

/** False if another account with this address has reserved or used the trial since, or if the document is damaged. */
function isFreeFor(trial: Trial | DamagedDocument | undefined, customerId: string): boolean {
  if (trial === undefined) return true;
  return !(trial instanceof DamagedDocument) && trial.usedAt === undefined && trial.customerId === customerId;
}
