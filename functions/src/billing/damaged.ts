import { logFault } from '../common/log.ts';
import { DamagedDocument } from '../firestore/convert.ts';

/**
 * Runs a sync for a webhook or task. If it meets a damaged document, it ends there and counts as done. The log names
 * the document. A retry could not succeed before a person has repaired it. After that the reconciliation finds the
 * drift.
 *
 * @throws every other error of the work
 */
export async function giveUpIfDamaged(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DamagedDocument)) throw error;
    logFault('A damaged document stopped a sync', { path: error.path }, error.cause);
  }
}
