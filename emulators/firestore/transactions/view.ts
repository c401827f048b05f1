import type { Query } from '../query/query.ts';
import { runQuery } from '../query/run.ts';
import type { QueryResult } from '../query/run.ts';
import type { Guard } from '../rules/guard.ts';
import type { StoredDocument } from '../storage/document.ts';
import type { OpenDatabase } from '../store.ts';
import type { ConsistencySelector, WireTransactionOptions } from '../wire/messages.ts';
import { decodeTimestamp } from '../wire/value-codec.ts';
import type { Transaction } from './transaction.ts';

/** The state of a database that one request reads: the current one, a past one, or a transaction's. */
export interface View {
  /** The transaction that the request asked to be started. */
  readonly started: Transaction | undefined;
  /** The time of the state that was just read, in microseconds. */
  readTime(): number;
  documents(paths: readonly string[]): Promise<readonly (StoredDocument | undefined)[]>;
  /** The rules are asked for `proven`, if that is given: a query for all that the caller gets to see of the result. */
  query(query: Query, proven?: Query): Promise<QueryResult>;
}

/**
 * Opens the state that the request's consistency selector names. A guard limits it to the documents that the caller
 * may read. Throws when the state cannot be read.
 */
export function openView(open: OpenDatabase, selector: ConsistencySelector, guard?: Guard): View {
  const view = selectView(open, selector);
  return guard ? guardedView(open, view, guard) : view;
}

function selectView(open: OpenDatabase, selector: ConsistencySelector): View {
  const { transactions } = open;
  if (selector.readTime) {
    const readTime = transactions.assertReadable(decodeTimestamp(selector.readTime).toMicros());
    return snapshotView(open, readTime, undefined);
  }
  const started =
    selector.newTransaction && beginTransaction(open, readOnlyByDefault(selector.newTransaction));
  const token = selector.transaction;
  const transaction =
    token && token.length > 0 ? transactions.find(Buffer.from(token).toString('latin1')) : started;
  if (!transaction) return snapshotView(open, undefined, undefined);
  if (transaction.readTime !== undefined) return snapshotView(open, transaction.readTime, started);
  return lockingView(open, transaction, started);
}

/** A transaction that a read starts is read-only unless it says otherwise; one that BeginTransaction starts is not. */
const readOnlyByDefault = (options: WireTransactionOptions): WireTransactionOptions =>
  options.readWrite ? options : { readOnly: {}, ...options };

export function beginTransaction(
  { transactions }: OpenDatabase,
  options: WireTransactionOptions,
): Transaction {
  if (options.readOnly) {
    const { readTime } = options.readOnly;
    if (!readTime) return transactions.beginReadOnly();
    return transactions.beginReadOnly(transactions.assertReadable(decodeTimestamp(readTime).toMicros()));
  }
  const retryOf = options.readWrite?.retryTransaction;
  return transactions.begin(
    retryOf && retryOf.length > 0 ? Buffer.from(retryOf).toString('latin1') : undefined,
  );
}

function snapshotView(
  { database }: OpenDatabase,
  selected: number | undefined,
  started: Transaction | undefined,
): View {
  const readTime = selected ?? database.readTime();
  return {
    started,
    readTime: () => readTime,
    documents: (paths) => Promise.resolve(paths.map((path) => database.get(path, readTime))),
    query: (query) => Promise.resolve(runQuery(database, query, readTime)),
  };
}

function lockingView(
  { database, transactions }: OpenDatabase,
  transaction: Transaction,
  started: Transaction | undefined,
): View {
  return {
    started,
    readTime: () => database.readTime(),
    documents: (paths) => {
      const target = { documents: paths, ranges: [] };
      return transactions.read(transaction, target, () => ({
        result: paths.map((path) => database.get(path)),
        locked: target,
      }));
    },
    query: (query) => {
      const whole = { documents: [], ranges: [{ query, last: undefined }] };
      return transactions.read(transaction, whole, () => {
        const result = runQuery(database, query);
        const full = query.limit !== undefined && result.documents.length === query.limit;
        const last = full ? result.documents.at(-1) : undefined;
        return { result, locked: { documents: [], ranges: [{ query, last }] } };
      });
    },
  };
}

/** Evaluates the rules in the state that was read. A denial ends the transaction that the read started. */
function guardedView({ database, transactions }: OpenDatabase, view: View, guard: Guard): View {
  const rollbackStarted = (error: unknown): never => {
    if (view.started) transactions.rollback(view.started);
    throw error;
  };
  return {
    ...view,
    documents: async (paths) => {
      const documents = await view.documents(paths);
      await guard.get(database, paths, view.readTime()).catch(rollbackStarted);
      return documents;
    },
    query: async (query, proven = query) => {
      const result = await view.query(query);
      await guard.list(database, proven, view.readTime()).catch(rollbackStarted);
      return result;
    },
  };
}
