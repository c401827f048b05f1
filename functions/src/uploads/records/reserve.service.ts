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
 * @throws Refusal `payload_too_large`, `quota_exceeded`; as `authorize`, for a team; as `requireNotDeleted`, for a user
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
 * Writes the record of a user's upload that was refused at once, so that they can read the reason. It is not counted
 * against the quota.
 *
 * @throws Refusal as `requireNotDeleted`
 * @throws an error for which `isAlreadyExists` is true if the id is in use
 */
export async function createRefused(backend: Backend, id: string, record: Upload): Promise<void> {
  const { ownerId } = record;
  await backend.db.run(async (tx) => {
    await Promise.all([requireNotDeleted(backend, tx, ownerId), ensureUsage(tx, ownerId)]);
    tx.uploads.create(id, record);
  });
}

/** The limits of uploads in bytes. */
function inBytes(limits: PlanLimits): { fileBytes: number; quotaBytes: number } {
  return {
    fileBytes: limits.fileMegabytes * MEGABYTE,
    quotaBytes: limits.uploadMegabytes * MEGABYTE,
  };
}

/**
 * Checks that the owner exists and that the sender may upload, and returns the limits of the owner's plan and add-ons.
 *
 * - Team: reads the team and the sender's membership in the transaction. So nobody can upload to a team once its
 *   deletion has begun.
 * - User: reads the profile in the transaction, and the subscriptions outside of it, because every upload would wait
 *   for the sync of a subscription if it locked them. If the plan changes at that moment, the limits may be those
 *   before or after.
 *
 * @throws Refusal as `authorize`, for a team; as `requireNotDeleted`, for a user
 */
async function authorizeAndReadLimits(backend: Backend, tx: Tx, owner: OwnerWithSender): Promise<PlanLimits> {
  const { config, db, now } = backend;
  if (owner.type === 'anonymous') return limitsOf(config, {});
  if (owner.type === 'user') {
    const [{ plan, addOns }] = await Promise.all([
      currentHolding(db, config, owner.id, now()),
      requireNotDeleted(backend, tx, owner.id),
    ]);
    return limitsOf(config, { plan: plan.slug, addOns });
  }
  const { team } = await authorize(tx, { uid: owner.senderId }, owner.id, 'upload:create');
  return limitsOf(config, team);
}

/**
 * Requires that the account of a user still exists: a large body may arrive after its sender has deleted the account.
 *
 * With a profile the upload may be written: a deletion removes the profile last, so a deletion that is under way still
 * finds the upload. Without a profile this asks Firebase Auth, because the profile of a new user may not exist yet.
 *
 * @throws Refusal `unauthenticated` for a deleted user
 */
async function requireNotDeleted({ userStates }: Backend, tx: Tx, uid: string): Promise<void> {
  if (!(await tx.users.exists(uid))) await userStates.current(uid);
}
