import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { addCost } from '../common/costs.ts';
import { DAY_MS } from '../common/durations.ts';
import { transactionAccess } from './access.ts';
import { TxCollection, type TxContext } from './collection.ts';
import type { NewAuditEntry } from './documents/audit-entry.ts';
import { withFirestoreRefusals } from './failures.ts';
import { tracedTransaction } from './span.ts';
import { collectionsWith, type Collections } from './typed-collections.ts';
import type { Waits } from './waits.ts';
import { addCostOf, applyWrite, findCommitProof, type Write } from './writes.ts';

/**
 * A transaction under way.
 *
 * - A read locks its documents until the commit. A query also keeps other transactions from adding to its result.
 * - Several transactions can hold the lock of a read. A write waits for all of them. If two transactions wait for each
 *   other, one of them runs again.
 * - Writes are collected and sent at the end. A query or count does not see them. `get` of a document with a collected
 *   write throws an Error.
 */
export interface Tx extends Collections<'tx'> {
  readonly audit: {
    /** Adds an entry to the audit log. */
    readonly record: (entry: NewAuditEntry) => void;
  };
}

export interface TransactionOptions {
  /** Loads the client. Called at the first use, because the client is slow to load. */
  readonly loadClient: () => Promise<Firestore>;
  /** Days that an entry of the audit log is kept. */
  readonly auditDays: number;
}

/**
 * The default of Firestore's library is 5, which is too few if fifty people accept one shared invitation. The pauses
 * between the attempts grow, so that a request has time for about seven.
 */
const MAX_TRANSACTION_ATTEMPTS = 11;

/**
 * Runs the attempts of one transaction. There are two reasons for a second attempt:
 *
 * - A conflict: the first commit was refused. The body runs again.
 * - A lost answer: the first commit may have been done.
 *
 * Before each further attempt, `findOutcome` looks for the commit proof of the last attempt: a document that only this
 * attempt can have created.
 *
 * | outcome of the last attempt | next attempt |
 * | --- | --- |
 * | `committed`: the proof exists | returns the last result |
 * | `not_committed`: the proof does not exist, or the body wrote nothing | runs the body |
 * | `unknown`: there is no proof, as in a body that only updates | runs the body |
 */
export function runTransaction<Result>(
  options: TransactionOptions,
  waits: Waits,
  body: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  // The latest attempt whose body has ended. The next attempt looks for its outcome.
  let lastAttempt: BodyResult<Result> | undefined;
  // All attempts that may have been committed. An attempt with the outcome `unknown` stays here. As long as there is
  // one, an outage is refused with `outcome_unknown`.
  const maybeCommitted = new Set<BodyResult<Result>>();
  const isOutcomeUnknown = () => maybeCommitted.size > 0;
  // `Waits` aborts the signal when it refuses because Firestore is late. No commit may follow this refusal.
  const runOnce = async (firestore: Firestore, transaction: Transaction, signal: AbortSignal) => {
    signal.throwIfAborted();
    if (lastAttempt !== undefined) {
      const outcome = await findOutcome(transaction, lastAttempt);
      if (outcome === 'committed') return lastAttempt;
      if (outcome === 'not_committed') maybeCommitted.delete(lastAttempt);
    }
    lastAttempt = await runBody(options, firestore, transaction, body);
    signal.throwIfAborted();
    // The client commits when this function returns.
    if (lastAttempt.writes.length > 0) maybeCommitted.add(lastAttempt);
    return lastAttempt;
  };
  return tracedTransaction((traceAttempt) =>
    withFirestoreRefusals(
      () =>
        waits.callWithLimit(async (signal) => {
          const firestore = await options.loadClient();
          const { result, writes } = await firestore.runTransaction(
            (transaction) => traceAttempt(() => runOnce(firestore, transaction, signal)),
            { maxAttempts: MAX_TRANSACTION_ATTEMPTS },
          );
          addCostOf(writes);
          return result;
        }),
      isOutcomeUnknown,
    ),
  );
}

/**
 * Finds out whether an earlier attempt was committed: then its commit proof exists. Reads at most one document.
 *
 * @returns `unknown` if the earlier attempt has created no commit proof, or if the proof may be deleted already
 */
async function findOutcome(
  transaction: Transaction,
  { writes }: BodyResult<unknown>,
): Promise<'committed' | 'not_committed' | 'unknown'> {
  if (writes.length === 0) return 'not_committed';
  const proof = findCommitProof(writes);
  if (proof === undefined) return 'unknown';
  addCost('reads');
  // The read also locks the path of a missing document, so the earlier attempt can no longer create it.
  if ((await transaction.get(proof.ref)).exists) return 'committed';
  return proof.isShortLived ? 'unknown' : 'not_committed';
}

interface BodyResult<Result> {
  result: Result;
  writes: readonly Write[];
}

async function runBody<Result>(
  { auditDays }: TransactionOptions,
  firestore: Firestore,
  transaction: Transaction,
  body: (tx: Tx) => Promise<Result>,
): Promise<BodyResult<Result>> {
  const writes: Write[] = [];
  const hasCollectedWrite = (path: string) => writes.some(({ ref }) => ref.path === path);
  const access = transactionAccess(firestore, transaction, hasCollectedWrite);
  const context: TxContext = { access, firestore, addWrite: (write) => writes.push(write) };
  const collections: Collections<'tx'> = collectionsWith(
    access,
    (schema, path) => new TxCollection(context, schema, path),
  );
  const record = (entry: NewAuditEntry) => {
    const deleteAt = new Date(entry.at.getTime() + auditDays * DAY_MS);
    collections.auditLog.createAsProof(collections.auditLog.newId(), { details: {}, ...entry, deleteAt });
  };
  const result = await body(Object.assign(collections, { audit: { record } }));
  for (const write of writes) await applyWrite(transaction, write);
  return { result, writes };
}
