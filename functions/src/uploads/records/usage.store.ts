import { logFault } from '../../common/log.ts';
import { DamagedDocument } from '../../firestore/damage.ts';
import type { Tx } from '../../firestore/db.ts';
import type { StorageUsage } from '../../firestore/documents/upload.ts';
import { refusal } from '../../refusals/refusals.ts';
import { ANONYMOUS, type OwnerWithSender } from './owner.ts';

/**
 * Adds the bytes of an upload to the owner's usage if the quota allows it. Anonymous uploads have no usage: if they
 * shared one document, they would all wait for each other.
 *
 * @throws Refusal `quota_exceeded`, `team_quota_exceeded`
 */
export async function addBytesWithinQuota(
  tx: Tx,
  { type, id }: Pick<OwnerWithSender, 'type' | 'id'>,
  bytes: number,
  quotaBytes: number,
): Promise<void> {
  if (type === 'anonymous') return;
  const used = (await tx.storageUsage.get(id))?.bytes ?? 0;
  if (used + bytes > quotaBytes) {
    throw refusal(type === 'team' ? 'team_quota_exceeded' : 'quota_exceeded', { size: quotaBytes });
  }
  tx.storageUsage.set(id, { bytes: used + bytes });
}

/**
 * Creates a usage with 0 bytes if the owner has none, for the record of a refused upload. The usage marks that the
 * owner has records: the deletion of an account (`account/delete.service.ts`) looks for it.
 */
export async function createUsageIfMissing(tx: Tx, ownerId: string): Promise<void> {
  if (!(await tx.storageUsage.exists(ownerId))) tx.storageUsage.set(ownerId, { bytes: 0 });
}

/**
 * Subtracts the bytes of uploads from the owner's usage. The calling function must not subtract an upload twice. Does
 * nothing if the usage was deleted with its owner. A damaged usage is logged and stays as it is, so that the damage
 * does not block a removal.
 */
export async function giveBackBytes(tx: Tx, ownerId: string, bytes: number): Promise<void> {
  if (ownerId === ANONYMOUS) return;
  const usage = await intactUsage(tx, ownerId);
  if (usage === undefined) return;
  const left = usage.bytes - bytes;
  if (left < 0) logFault('More bytes were given back than counted', { ownerId }, `${left} bytes`);
  tx.storageUsage.update(ownerId, { bytes: Math.max(left, 0) });
}

async function intactUsage(tx: Tx, ownerId: string): Promise<StorageUsage | undefined> {
  try {
    return await tx.storageUsage.get(ownerId);
  } catch (error) {
    if (!(error instanceof DamagedDocument)) throw error;
    logFault('Bytes cannot be given back to a damaged usage', { ownerId }, error.cause);
    return undefined;
  }
}
