import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { addCost } from '../common/costs.ts';
import { DAY_MS } from '../common/durations.ts';
import { directAccess, transactionAccess } from './access.ts';
import { DirectCollection, ReadCollection, TxCollection, type TxContext } from './collection.ts';
import type { NewAuditEntry } from './documents/audit-entry.ts';
import { withFirestoreRefusals } from './failures.ts';
import type { MaybeDamaged, Query } from './query.ts';
import { tracedInFirestore, tracedTransaction } from './span.ts';
import { collectionsWith, type Collections } from './typed-collections.ts';
import { WAIT_LIMITS, Waits, type WaitLimits } from './waits.ts';
import { addCostOf, applyWrite, documentWithNewId, type Write } from './writes.ts';

/** Access to all collections for reading: directly, in a snapshot, or in a transaction. */
export type Reads = Collections<'read'>;

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

/** The database. A read or write directly on a collection of `Db` is in no transaction. */
export interface Db extends Collections<'direct'> {
  /**
   * Runs a transaction, such as the one in docs/architecture.md. After a conflict with another transaction the body
   * runs again. Therefore everything that the body does besides writing to `tx` must be safe to repeat.
   *
   * The answer to a commit can be lost. If the transaction has created a document by `createNew`, or an audit log
   * entry, the next attempt looks for this document. If the document exists, the earlier attempt was committed. Then
   * the body does not run again, and `run` returns the result of the earlier attempt.
   *
   * @throws Refusal `busy` if too many transactions want the same documents; `database_unavailable` if Firestore does
   *   not answer in time and nothing was written; `outcome_unknown` if the commit may have been done
   */
  readonly run: <Result>(body: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** Runs reads that all see the database at one moment. They neither lock nor wait. */
  readonly snapshot: <Result>(body: (reads: Reads) => Promise<Result>) => Promise<Result>;
  /**
   * Deletes documents of a query in one commit.
   *
   * @param limit bounds the time of the commit, for example 500
   * @returns the number of deleted documents. If it is less than `limit`, none is left
   */
  readonly purge: <Doc>(query: Query<Doc>, limit: number) => Promise<number>;
  /**
   * Changes at most `limit` documents of a query in one transaction. `runInBatches` repeats the call until fewer than
   * `limit` documents are found. Therefore the query must not find a changed document again.
   *
   * An empty result costs one read and no commit.
   *
   * @returns the number of documents that were found
   */
  readonly changeBatch: <Doc extends object>(
    find: (reads: Reads) => Query<Doc>,
    limit: number,
    change: (tx: Tx, found: readonly MaybeDamaged<Doc>[]) => Promise<void> | void,
  ) => Promise<number>;
  /** Runs work whose calls may together wait for Firestore as long as the field `limit` of `WaitLimits` says. */
  readonly limitWaits: Waits['limitWaits'];
}

export interface DbOptions {
  /** Loads the client. Called at the first use, because the client is slow to load. */
  readonly loadClient: () => Promise<Firestore>;
  /** Days that an entry of the audit log is kept. */
  readonly auditDays: number;
  readonly waitLimits?: WaitLimits;
}

/**
 * The default of Firestore's library is 5, which is too few if fifty people accept one shared invitation. The pauses
 * between the attempts grow, so that a request has time for about seven.
 */
const MAX_TRANSACTION_ATTEMPTS = 11;

export function createDb(options: DbOptions): Db {
  const { loadClient } = options;
  const waits = new Waits(options.waitLimits ?? WAIT_LIMITS);
  const access = directAccess(loadClient, waits);
  const collections: Collections<'direct'> = collectionsWith(
    access,
    (schema, path) => new DirectCollection(access, schema, path),
  );
  const db: Db = {
    ...collections,
    run: (body) => runTransaction(options, waits, body),
    snapshot: (body) =>
      tracedInFirestore('snapshot', undefined, () =>
        withFirestoreRefusals(() =>
          waits.wait(async () => {
            const firestore = await loadClient();
            return firestore.runTransaction((transaction) => runReads(firestore, transaction, body), {
              readOnly: true,
            });
          }),
        ),
      ),
    purge: async (query, limit) => {
      const found = await query.limit(limit).findPlaces();
      await tracedInFirestore('commit', undefined, () =>
        access.write((firestore) => {
          const batch = firestore.batch();
          for (const { path } of found) batch.delete(firestore.doc(path));
          return batch.commit();
        }),
      );
      addCost('deletes', found.length);
      return found.length;
    },
    changeBatch: async (find, limit, change) => {
      if (await find(db).isEmpty()) return 0;
      return db.run(async (tx) => {
        const found = await find(tx).limit(limit).findWithDamaged();
        await change(tx, found);
        return found.length;
      });
    },
    limitWaits: (limit, work) => waits.limitWaits(limit, work),
  };
  return db;
}

/**
 * Runs the attempts of one transaction. There are two reasons for a second attempt:
 *
 * - A conflict: the first commit was refused. The body runs again.
 * - A lost answer: the first commit may have been done.
 *
 * Before each further attempt, `findOutcome` looks for a document with a new id that the last one has created:
 *
 * | outcome of the last attempt | next attempt |
 * | --- | --- |
 * | `committed`: the document exists | returns the last result |
 * | `not_committed`: the document does not exist, or the body wrote nothing | runs the body |
 * | `unknown`: there is nothing to look for, as in a body that only updates | runs the body |
 */
function runTransaction<Result>(
  options: DbOptions,
  waits: Waits,
  body: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  // The latest attempt whose body has ended.
  let lastAttempt: BodyResult<Result> | undefined;
  // Attempts that may have been committed. With one, an outage is refused with `outcome_unknown`.
  const maybeCommitted = new Set<BodyResult<Result>>();
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
        waits.wait(async (signal) => {
          const firestore = await options.loadClient();
          const { result, writes } = await firestore.runTransaction(
            (transaction) => traceAttempt(() => runOnce(firestore, transaction, signal)),
            { maxAttempts: MAX_TRANSACTION_ATTEMPTS },
          );
          addCostOf(writes);
          return result;
        }),
      () => maybeCommitted.size > 0,
    ),
  );
}

/**
 * Finds out whether an earlier attempt was committed: then its new document exists. Reads at most one document.
 *
 * @returns `unknown` if the earlier attempt has created no document with a new id, or if that document may be gone
 */
async function findOutcome(
  transaction: Transaction,
  { writes }: BodyResult<unknown>,
): Promise<'committed' | 'not_committed' | 'unknown'> {
  if (writes.length === 0) return 'not_committed';
  const created = documentWithNewId(writes);
  if (created === undefined) return 'unknown';
  addCost('reads');
  // The read also locks the path of a missing document, so the earlier attempt can no longer create it.
  if ((await transaction.get(created.ref)).exists) return 'committed';
  return created.mayBeDeletedSoon ? 'unknown' : 'not_committed';
}

async function runReads<Result>(
  firestore: Firestore,
  transaction: Transaction,
  body: (reads: Reads) => Promise<Result>,
): Promise<Result> {
  const access = transactionAccess(firestore, transaction, () => false);
  try {
    return await body(collectionsWith(access, (schema, path) => new ReadCollection(access, schema, path)));
  } catch (error) {
    // The client leaves a second rejected promise behind if the first read fails, which would end the process.
    const begun: unknown = Reflect.get(transaction, '_transactionIdPromise');
    if (begun instanceof Promise) begun.catch(() => undefined);
    throw error;
  }
}

interface BodyResult<Result> {
  result: Result;
  writes: readonly Write[];
}

async function runBody<Result>(
  { auditDays }: DbOptions,
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
    collections.auditLog.createNew(collections.auditLog.newId(), { details: {}, ...entry, deleteAt });
  };
  const result = await body(Object.assign(collections, { audit: { record } }));
  for (const write of writes) await applyWrite(transaction, write);
  return { result, writes };
}
