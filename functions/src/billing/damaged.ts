import { logFault } from '../common/log.ts';
import { DamagedDocument } from '../firestore/convert.ts';

/**
 * Runs the work of a webhook or task. A damaged document stops the work: the log names it, and the work counts as done. A
 * retry could not succeed before a person has repaired the document. After that the reconciliation does the work.
 *
 * @throws every other error of the work
 */
export async function stopIfDamaged(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DamagedDocument)) throw error;
    logFault('A damaged document stopped a sync', { path: error.path }, error.cause);
  }
}
