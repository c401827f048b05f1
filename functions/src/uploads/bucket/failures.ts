import { hasCode } from '../../common/error-code.ts';
import { traced } from '../../common/span.ts';
import { TooLate, withTimeLimit } from '../../common/time-limit.ts';
import { Refusal } from '../../refusals/refusals.ts';

/** Limit for one call with its retries. Two such calls fit into the 60 seconds that Hosting waits. */
export const DEADLINE_MS = 25_000;

/** The refusal `storage_unavailable`: a call to Storage has failed. Usually the same call succeeds later. */
export class StorageFailure extends Refusal {
  constructor(cause: unknown) {
    super('storage_unavailable', {}, { cause });
  }
}

/** Storage did not answer in time. The call may still take effect. */
export class StorageTimeout extends StorageFailure {}

/** For a call that expects an object: true if the object is missing (404) or has another generation (412). */
export function isMissingOrChanged(error: unknown): boolean {
  return hasCode(error, 404, 412);
}

/** For `catch`: ignores that the object is missing or changed. Throws any other error again. */
export function ignoreIfMissingOrChanged(error: unknown): undefined {
  if (!isMissingOrChanged(error)) throw error;
}

/** The names of calls in traces. */
type StorageOperation = 'store' | 'delete' | 'delete folder' | 'list' | 'exists' | 'read' | 'rewrite';

/**
 * Waits for a call to Storage, at most `deadlineMs`: the client's own timeout does not end a call that hangs.
 *
 * @throws StorageTimeout after `deadlineMs`; StorageFailure, or an error for which `isMissingOrChanged` is true
 */
export function withDeadline<Result>(
  operation: StorageOperation,
  call: Promise<Result>,
  deadlineMs = DEADLINE_MS,
): Promise<Result> {
  return traced(
    () => ({
      name: `storage ${operation}`,
      kind: 'client',
      attributes: { 'gcp.client.service': 'storage', 'rpc.method': operation },
    }),
    () => raceDeadline(call, deadlineMs),
  );
}

async function raceDeadline<Result>(call: Promise<Result>, deadlineMs: number): Promise<Result> {
  try {
    return await withTimeLimit(deadlineMs, call);
  } catch (error) {
    if (error instanceof TooLate) throw new StorageTimeout(error);
    throw error instanceof StorageFailure || isMissingOrChanged(error) ? error : new StorageFailure(error);
  }
}
