import { refuse } from '../refusals.ts';
import type { Plan } from '../settings/plans.ts';
import type { Backend } from '../backend.ts';
import { transact } from '../firestore/transaction.ts';
import type { Owner } from './owner.ts';
import { reserveUpload, type Upload } from './upload.store.ts';

const MEGABYTE = 1_000_000;

/** What a plan allows, in bytes. */
export function limitsOf({ limits }: Plan): { fileBytes: number; quotaBytes: number } {
  return {
    fileBytes: limits.fileMegabytes * MEGABYTE,
    quotaBytes: limits.uploadMegabytes * MEGABYTE,
  };
}

/**
 * Writes the pending document of an upload, in one transaction with all that allows it: the role in the team, and the
 * limits of the plan.
 *
 * @throws Refusal 413 for a file larger than the plan allows, 403 when the quota is full, as authorize for a team
 */
export async function reserve(backend: Backend, owner: Owner, id: string, upload: Upload): Promise<void> {
  const firestore = await backend.firestore();
  await transact(firestore, async (transaction) => {
    const { fileBytes, quotaBytes } = limitsOf(await owner.planIn(transaction, firestore, backend.now()));
    if (upload.size > fileBytes) {
      throw refuse('payload_too_large', {
        reason: `The file is larger than the ${fileBytes} bytes that the plan allows.`,
      });
    }
    await reserveUpload(transaction, firestore, id, upload, quotaBytes);
  });
}
