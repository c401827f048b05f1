import { logFault } from '../common/log.ts';
import { DamagedDocument } from '../firestore/convert.ts';

/**
 * Runs the work of a webhook or task. If a document is damaged, the log names it and the work counts as done: a retry
 * cannot succeed before a person has repaired the document, and after that the reconciliation makes up for the work.
 *
 * @throws every other error of the work
 */
export async function logDamaged(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DamagedDocument)) throw error;
    logFault('A damaged document stopped a sync', { path: error.path }, error.cause);
  }
}
