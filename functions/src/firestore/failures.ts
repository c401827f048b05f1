import { hasCode } from '../common/error-code.ts';
import { refusal } from '../refusals/refusals.ts';

/** https://grpc.io/docs/guides/status-codes/ */
const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;

const ABORTED = 10;

/** DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE: the same request may succeed later. */
const OUTAGE_CODES = [4, 8, 14];

/** True if the document that was to be created already exists. */
export const isAlreadyExists = (error: unknown): boolean => hasCode(error, ALREADY_EXISTS);

/** True if the document that was to be changed or deleted does not exist. */
export const isNotFound = (error: unknown): boolean => hasCode(error, NOT_FOUND);

/** True if Firestore accepts no such document, for example because it would be larger than 1 MiB. */
export const isNotStorable = (error: unknown): boolean => hasCode(error, INVALID_ARGUMENT);

/**
 * Runs reads and writes of Firestore, and turns its failures into refusals.
 *
 * @param mayBeWritten called after an outage: true if Firestore may have done a write whose answer did not arrive
 * @throws Refusal `busy` if too many transactions want the same documents; `database_unavailable` or `outcome_unknown`
 *   if Firestore does not answer; any other error unchanged
 */
export async function withFirestoreRefusals<Result>(
  work: () => Promise<Result>,
  mayBeWritten: () => boolean = () => false,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (hasCode(error, ABORTED) || isOutOfRetries(error)) throw refusal('busy', {}, { cause: error });
    if (!hasCode(error, ...OUTAGE_CODES)) throw error;
    throw refusal(mayBeWritten() ? 'outcome_unknown' : 'database_unavailable', {}, { cause: error });
  }
}

/** If a transaction has no attempt left, the client may throw this error, which has no code. */
function isOutOfRetries(error: unknown): boolean {
  return error instanceof Error && error.message === 'Exceeded maximum number of retries allowed.';
}
