import { requireExistingUser } from '../../auth/users/require-existing-user.ts';
import type { Backend } from '../../backend.ts';
import { limitsOf } from '../../billing/subscriptions/access/entitlements.ts';
import { currentHolding } from '../../billing/subscriptions/subscription.store.ts';
import type { Tx } from '../../firestore/db.ts';
import type { Upload } from '../../firestore/documents/upload.ts';
import { refusal } from '../../refusals/refusals.ts';
import type { PlanLimits } from '../../settings/plans.ts';
import { authorize } from '../../teams/authorize.ts';
import { type OwnerWithSender } from './owner.ts';
import { ensureUsage, takeBytes } from './usage.store.ts';

const MEGABYTE = 1_000_000;

/**
 * Counts an upload against the quota and writes its pending record, in one transaction. This is the only place that
 * checks the upload limits of plan and add-ons.
 *
 * @throws Refusal `payload_too_large`, `quota_exceeded`; as `authorize`, for a team; as `requireExistingUser`, for a
 *   user
 * @throws an error for which `isAlreadyExists` is true if the id is in use
 */
export async function reserveUpload(
  backend: Backend,
  owner: OwnerWithSender,
  id: string,
  record: Upload,
): Promise<void> {
  await backend.db.run(async (tx) => {
    const { fileBytes, quotaBytes } = inBytes(await authorizeAndReadLimits(backend, tx, owner));
    if (record.size > fileBytes) {
      throw refusal('file_too_large_for_plan', { size: fileBytes });
    }
    await takeBytes(tx, owner, record.size, quotaBytes);
    tx.uploads.create(id, record);
  });
}

/**
 * Writes the record of a direct upload that is refused instead of reserved, so that its sender can read the reason. The
 * upload is not counted against the quota.
 *
 * @throws Refusal as `requireExistingUser`
 * @throws an error for which `isAlreadyExists` is true if the id is in use
 */
export async function createRefused(backend: Backend, id: string, record: Upload): Promise<void> {
  const { ownerId } = record;
  await backend.db.run(async (tx) => {
    await Promise.all([requireExistingUser(backend, tx, ownerId), ensureUsage(tx, ownerId)]);
    tx.uploads.create(id, record);
  });
}

function inBytes(limits: PlanLimits): { fileBytes: number; quotaBytes: number } {
  return {
    fileBytes: limits.fileMegabytes * MEGABYTE,
    quotaBytes: limits.uploadMegabytes * MEGABYTE,
  };
}

/**
 * Checks that the owner exists and that the sender may upload, and returns the limits of the owner's plan and add-ons.
 *
 * - For a team, the transaction reads the team and the sender's membership. Because this locks the team, nobody can
 *   upload to it once its deletion has begun.
 * - For a user, the transaction reads the profile. The subscriptions are read outside of the transaction: an upload
 *   that locked them would wait for their syncs. If the plan changes at that moment, the old or the new limits apply.
 *
 * @throws Refusal as `authorize`, for a team; as `requireExistingUser`, for a user
 */
async function authorizeAndReadLimits(backend: Backend, tx: Tx, owner: OwnerWithSender): Promise<PlanLimits> {
  const { config, db, now } = backend;
  if (owner.type === 'anonymous') return limitsOf(config, {});
  if (owner.type === 'user') {
    const [{ plan, addOns }] = await Promise.all([
      currentHolding(db, config, owner.id, now()),
      requireExistingUser(backend, tx, owner.id),
    ]);
    return limitsOf(config, { plan: plan.slug, addOns });
  }
  const { team } = await authorize(tx, { uid: owner.senderId }, owner.id, 'upload:create');
  return limitsOf(config, team);
}
