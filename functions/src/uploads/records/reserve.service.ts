import { requireExistingUser } from '../../auth/users/require-existing-user.ts';
import type { Backend } from '../../backend.ts';
import { limitsOf } from '../../billing/subscriptions/access/limits.ts';
import { readHoldingOfUser } from '../../billing/subscriptions/subscription.store.ts';
import type { Tx } from '../../firestore/db.ts';
import type { Upload } from '../../firestore/documents/upload.ts';
import { refusal } from '../../refusals/refusals.ts';
import type { PlanLimits } from '../../settings/plans.ts';
import { authorize } from '../../teams/authorize.store.ts';
import { type OwnerWithSender } from './owner.ts';
import { createUsageIfMissing, addBytesWithinQuota } from './usage.store.ts';

const MEGABYTE = 1_000_000;

/**
 * Writes the pending record of an upload and counts its bytes in the usage, in one transaction. The bytes of an
 * anonymous upload are not counted. Call this for every upload before it is stored, because no other function checks
 * the upload limits of plan and add-ons.
 *
 * @throws Refusal `file_too_large_for_plan`, `quota_exceeded`, `team_quota_exceeded`; as `authorize`, for a team; as
 *   `requireExistingUser`, for a user
 * @throws if the id is in use, an error for which `isAlreadyExists` is true
 */
export async function reserveUpload(
  backend: Backend,
  owner: OwnerWithSender,
  id: string,
  record: Upload,
): Promise<void> {
  await backend.db.run(async (tx) => {
    const { maxFileBytes, quotaBytes } = inBytes(await authorizeAndReadLimits(backend, tx, owner));
    if (record.size > maxFileBytes) {
      throw refusal('file_too_large_for_plan', { size: maxFileBytes });
    }
    await addBytesWithinQuota(tx, owner, record.size, quotaBytes);
    // With `createAsProof`, `Db.run` recognizes its own commit after a lost answer, by the id of the document. This is
    // safe only for an id that we made. A client chooses the id of a direct upload, and may use it twice.
    if (record.source === 'api') tx.uploads.createAsProof(id, record);
    else tx.uploads.create(id, record);
  });
}

/**
 * Writes the record of a direct upload that was refused, so that its sender can read the reason. The owner of the
 * record is the sender, never a team. The record does not count against the quota. The deletion of an account looks for
 * files only if the user has a document in `usage`. Therefore a sender without one gets one with 0 bytes.
 *
 * @throws Refusal as `requireExistingUser`
 * @throws if the id is in use, an error for which `isAlreadyExists` is true
 */
export async function writeRefusedRecord(backend: Backend, id: string, record: Upload): Promise<void> {
  const { ownerId } = record;
  await backend.db.run(async (tx) => {
    await Promise.all([requireExistingUser(backend, tx, ownerId), createUsageIfMissing(tx, ownerId)]);
    tx.uploads.create(id, record);
  });
}

/**
 * Checks that the owner exists and that the sender may upload, and returns the limits of the owner's plan and add-ons.
 *
 * - For a team, the transaction locks the team, so nobody can upload to it once its deletion has begun.
 * - For a user, the subscriptions are read outside of the transaction. If the transaction locked the subscriptions,
 *   uploads and syncs would wait for each other.
 *
 * @throws Refusal as `authorize`, for a team; as `requireExistingUser`, for a user
 */
async function authorizeAndReadLimits(backend: Backend, tx: Tx, owner: OwnerWithSender): Promise<PlanLimits> {
  const { config, db, now } = backend;
  if (owner.type === 'anonymous') return limitsOf(config, {});
  if (owner.type === 'user') {
    const [{ plan, addOns }] = await Promise.all([
      readHoldingOfUser(db, config, owner.id, now()),
      requireExistingUser(backend, tx, owner.id),
    ]);
    return limitsOf(config, { plan: plan.slug, addOns });
  }
  const { team } = await authorize(tx, { uid: owner.senderId }, owner.id, 'upload:create');
  return limitsOf(config, team);
}

function inBytes({ fileMegabytes, storageMegabytes }: PlanLimits) {
  return { maxFileBytes: fileMegabytes * MEGABYTE, quotaBytes: storageMegabytes * MEGABYTE };
}
