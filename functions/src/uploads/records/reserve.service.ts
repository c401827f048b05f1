import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import { currentHolding } from '../../billing/subscriptions/subscription.store.ts';
import { limitsOf } from '../../billing/subscriptions/access/entitlements.ts';
import type { Upload } from '../../firestore/documents/upload.ts';
import { refuse } from '../../refusals.ts';
import type { PlanLimits } from '../../settings/plans.ts';
import { authorize } from '../../teams/authorize.ts';
import { type Owner } from './owner.ts';
import { countBytes } from './usage.store.ts';

const MEGABYTE = 1_000_000;

/**
 * Counts an upload against the quota and writes its pending record, in one transaction. This is the only place that checks the upload limits of plan and add-ons.
 *
 * @throws Refusal `payload_too_large`, `quota_exceeded`; as `authorize`, for a team
 * @throws an error for which `isAlreadyExists` is true if the id is in use
 */
export async function reserve(backend: Backend, owner: Owner, id: string, record: Upload): Promise<void> {
  await backend.db.run(async (tx) => {
    const { fileBytes, quotaBytes } = inBytes(await authorizeAndReadLimits(backend, tx, owner));
    if (record.size > fileBytes) {
      throw refuse('file_too_large_for_plan', { size: fileBytes });
    }
    await countBytes(tx, owner, record.size, quotaBytes);
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
 * Checks the sender's right to upload to a team, and returns the limits of the owner's plan and add-ons.
 *
 * - Team: reads the team and the sender's membership in the transaction. So nobody can upload to a team once its deletion
 *   has begun.
 * - User: reads the subscriptions outside of the transaction, because every upload would wait for the sync of a
 *   subscription if it locked them. If the plan changes at that moment, the limits may be those before or after.
 *
 * @throws Refusal as `authorize`, for a team
 */
async function authorizeAndReadLimits(
  { config, db, now }: Backend,
  tx: Tx,
  owner: Owner,
): Promise<PlanLimits> {
  if (owner.type === 'anonymous') return limitsOf(config, {});
  if (owner.type === 'user') {
    const { plan, addOns } = await currentHolding(db, config, owner.id, now());
    return limitsOf(config, { plan: plan.slug, addOns });
  }
  const { team } = await authorize(tx, { uid: owner.senderId }, owner.id, 'upload:create');
  return limitsOf(config, team);
}
