import type { Backend } from '../../backend.ts';
import type { Upload } from '../../firestore/documents/upload.ts';
import { refuse } from '../../refusals.ts';
import type { Limits } from '../../settings/plans.ts';
import { authorizeAndReadLimits, type Owner } from './owner.ts';
import { countBytes } from './usage.store.ts';

const MEGABYTE = 1_000_000;

/**
 * Counts an upload against the quota and writes its pending record, in one transaction. This is the only place that checks
 * the limits of plan and add-ons.
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
function inBytes(limits: Limits): { fileBytes: number; quotaBytes: number } {
  return {
    fileBytes: limits.fileMegabytes * MEGABYTE,
    quotaBytes: limits.uploadMegabytes * MEGABYTE,
  };
}
