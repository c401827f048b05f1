import { logFault } from '../common/log.ts';
import { DamagedDocument } from './convert.ts';

/**
 * Runs a sync for a webhook or task. A sync that meets a damaged document ends and counts as done: a retry would fail
 * until a person has repaired the document. After the repair the reconciliation finds the drift.
 *
 * @throws every error of the work except DamagedDocument
 */
export async function giveUpIfDamaged(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DamagedDocument)) throw error;
    logFault('A damaged document stopped a sync', { path: error.path }, error.cause);
  }
}
