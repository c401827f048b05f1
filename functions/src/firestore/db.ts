import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { addCost } from '../common/costs.ts';
import { directAccess, transactionAccess } from './access.ts';
import { DirectCollection, ReadCollection } from './collection.ts';
import { withFirestoreRefusals } from './failures.ts';
import type { MaybeDamaged, Query } from './query.ts';
import { tracedInFirestore } from './span.ts';
import { runTransaction, type TransactionOptions, type Tx } from './transaction.ts';
import { collectionsWith, type Collections } from './typed-collections.ts';
import { WAIT_LIMITS, Waits, type WaitLimits } from './waits.ts';

export type { Tx };

/** Access to all collections for reading: directly, in a snapshot, or in a transaction. */
export type Reads = Collections<'read'>;

/** The database. A read or write directly on a collection of `Db` is in no transaction. */
export interface Db extends Collections<'direct'> {
  /**
   * Runs a transaction, such as the one in docs/architecture.md. After a conflict with another transaction the body
   * runs again. Therefore everything that the body does besides writing to `tx` must be safe to repeat.
   *
   * The answer to a commit can be lost. Then it is unknown whether the commit was done. If the transaction has created
   * a document by `createAsProof`, or an audit log entry, the next attempt looks for this document. If the document
   * exists, the commit was done: the body does not run again, and `run` returns the result of the earlier attempt.
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
   * `limit` documents are found. Therefore `change` must alter each document so that the query no longer finds it.
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
  /** Runs `work`. Its calls to Firestore together wait at most for the time `WAIT_LIMITS[limit]`. */
  readonly limitWaits: Waits['limitWaits'];
}

export interface DbOptions extends TransactionOptions {
  readonly waitLimits?: WaitLimits;
}

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
          waits.callWithLimit(async () => {
            const firestore = await loadClient();
            return firestore.runTransaction((transaction) => runReads(firestore, transaction, body), {
              readOnly: true,
            });
          }),
        ),
      ),
    purge: async (query, limit) => {
      const found = await query.limit(limit).findPaths();
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

async function runReads<Result>(
  firestore: Firestore,
  transaction: Transaction,
  body: (reads: Reads) => Promise<Result>,
): Promise<Result> {
  const access = transactionAccess(firestore, transaction);
  try {
    return await body(collectionsWith(access, (schema, path) => new ReadCollection(access, schema, path)));
  } catch (error) {
    // If the first read fails, a private promise of the client is rejected too. Nobody awaits it, so Node would end the
    // process.
    const begun: unknown = Reflect.get(transaction, '_transactionIdPromise');
    if (begun instanceof Promise) begun.catch(() => undefined);
    throw error;
  }
}
