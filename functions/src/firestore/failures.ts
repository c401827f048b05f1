import { hasCode } from '../common/error-code.ts';
import { refuse } from '../refusals.ts';

/** https://grpc.io/docs/guides/status-codes/ */
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;

/** DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, UNAVAILABLE: the same request may succeed later. */
const TRANSIENT = [4, 8, 10, 14];

/** True if a document was to be created that already exists. */
export const isAlreadyExists = (error: unknown): boolean => hasCode(error, ALREADY_EXISTS);

/** True if a document was to be changed that does not exist. */
export const isNotFound = (error: unknown): boolean => hasCode(error, NOT_FOUND);

/**
 * Runs reads and writes of Firestore.
 *
 * @throws Refusal `busy` if Firestore is out of reach or too many transactions want the same documents; any other error
 *   unchanged
 */
export async function guardFirestore<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (hasCode(error, ...TRANSIENT) || isOutOfRetries(error)) throw refuse('busy', {}, { cause: error });
    throw error;
  }
}

/** True for the error of the client, without a code, after its tenth pause in one transaction. It hides the cause. */
function isOutOfRetries(error: unknown): boolean {
  return error instanceof Error && error.message === 'Exceeded maximum number of retries allowed.';
}
