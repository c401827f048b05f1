import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { hasCode } from '../common/error-code.ts';
import { refuse } from '../refusals.ts';

/** Many people may join one team at once; five attempts, the SDK's default, are too few for the last of them. */
const MAX_ATTEMPTS = 15;

/** Codes after which the same request may succeed later: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, UNAVAILABLE.
 * https://grpc.io/docs/guides/status-codes/ */
const PASSING = [4, 8, 10, 14];

/**
 * Runs a transaction, again when another one was in its way. `run` may be called several times and has no effects
 * but on `transaction`.
 *
 * @throws Refusal 503 when Firestore is out of reach or too many others are at the same documents
 */
export async function transact<Result>(
  firestore: Firestore,
  run: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return guardFirestore(() => firestore.runTransaction(run, { maxAttempts: MAX_ATTEMPTS }));
}

/**
 * For reads and writes outside a transaction.
 *
 * @throws Refusal 503 when Firestore is out of reach
 */
export async function guardFirestore<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (hasCode(error, ...PASSING)) {
      throw refuse('busy', {}, { cause: error });
    }
    throw error;
  }
}
