import type {
  DocumentReference,
  DocumentSnapshot,
  Firestore,
  Query,
  QuerySnapshot,
  Transaction,
} from 'firebase-admin/firestore';
import { addCost } from '../common/costs.ts';
import { withFirestoreRefusals } from './failures.ts';
import { tracedInFirestore } from './span.ts';
import type { Waits } from './waits.ts';

/** Firestore bills one read for this many index entries of an aggregation. */
const AGGREGATED_PER_READ = 1_000;

/**
 * Reads documents in one of three ways: directly, in a snapshot, or in a transaction. `collection` is the name of the
 * collection, for traces.
 */
export interface ReadAccess {
  readonly firestore: () => Promise<Firestore>;
  readonly getAll: (refs: readonly DocumentReference[]) => Promise<DocumentSnapshot[]>;
  readonly query: (query: Query, collection: string) => Promise<QuerySnapshot>;
  readonly count: (query: Query, collection: string) => Promise<number>;
  readonly sum: (query: Query, field: string, collection: string) => Promise<number>;
}

/** Reads and writes in no transaction. */
export interface DirectAccess extends ReadAccess {
  readonly write: <Result>(work: (firestore: Firestore) => Promise<Result>) => Promise<Result>;
}

export function directAccess(loadClient: () => Promise<Firestore>, waits: Waits): DirectAccess {
  const read = <Result>(work: () => Promise<Result>) =>
    withFirestoreRefusals(() => waits.callWithLimit(work));
  const access = countedAndTraced({
    firestore: () => read(loadClient),
    getAll: (refs) =>
      read(async () => {
        const [only] = refs;
        if (refs.length === 1 && only !== undefined) return [await only.get()];
        return (await loadClient()).getAll(...refs);
      }),
    query: (query) => read(() => query.get()),
    count: (query) => read(async () => (await query.count().get()).data().count),
    sum: (query, field) => read(async () => (await (await sumOf(query, field)).get()).data().sum),
  });
  const write: DirectAccess['write'] = (work) => {
    let isSent = false;
    const send = async (signal: AbortSignal) => {
      const firestore = await loadClient();
      signal.throwIfAborted();
      isSent = true;
      return work(firestore);
    };
    return withFirestoreRefusals(
      () => waits.callWithLimit(send),
      () => isSent,
    );
  };
  return { ...access, write };
}

/** @param hasCollectedWrite true if the transaction has collected a write to the document of this path */
export function transactionAccess(
  firestore: Firestore,
  transaction: Transaction,
  hasCollectedWrite: (path: string) => boolean = () => false,
): ReadAccess {
  return countedAndTraced({
    firestore: () => Promise.resolve(firestore),
    getAll: async (refs) => {
      const changed = refs.find(({ path }) => hasCollectedWrite(path));
      if (changed !== undefined) throw new Error(`The transaction read ${changed.path} after a write to it.`);
      const [only] = refs;
      if (refs.length === 1 && only !== undefined) return [await transaction.get(only)];
      return transaction.getAll(...refs);
    },
    query: (query) => transaction.get(query),
    count: async (query) => (await transaction.get(query.count())).data().count,
    sum: async (query, field) => (await transaction.get(await sumOf(query, field))).data().sum,
  });
}

/**
 * Adds the billed reads to the costs of the request, and records each call as a span. A missing document and an empty
 * query cost one read. A sum counts as one read, because the number of its documents is not known.
 *
 * https://firebase.google.com/docs/firestore/pricing#operations
 */
function countedAndTraced(access: ReadAccess): ReadAccess {
  return {
    firestore: access.firestore,
    getAll: (refs) => {
      const [first] = refs;
      if (first === undefined) return Promise.resolve([]);
      addCost('reads', refs.length);
      return tracedInFirestore('get', first.parent.id, (span) => {
        if (refs.length > 1) span?.set({ 'db.operation.batch.size': refs.length });
        return access.getAll(refs);
      });
    },
    query: (query, collection) =>
      tracedInFirestore('query', collection, async (span) => {
        const found = await access.query(query, collection);
        addCost('reads', Math.max(found.size, 1));
        span?.set({ 'db.response.returned_rows': found.size });
        return found;
      }),
    count: (query, collection) =>
      tracedInFirestore('count', collection, async () => {
        const count = await access.count(query, collection);
        addCost('reads', Math.max(Math.ceil(count / AGGREGATED_PER_READ), 1));
        return count;
      }),
    sum: (query, field, collection) => {
      addCost('reads');
      return tracedInFirestore('sum', collection, () => access.sum(query, field, collection));
    },
  };
}

/** The import takes no time, because the Firestore client is loaded already. */
async function sumOf(query: Query, field: string) {
  const { AggregateField } = await import('firebase-admin/firestore');
  return query.aggregate({ sum: AggregateField.sum(field) });
}
