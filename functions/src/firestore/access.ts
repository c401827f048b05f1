import type {
  DocumentReference,
  DocumentSnapshot,
  Firestore,
  Query,
  QuerySnapshot,
  Transaction,
} from 'firebase-admin/firestore';
import { guardFirestore } from './failures.ts';

/** How documents are read: directly, or within a transaction, which locks them until its commit. */
export interface Access {
  readonly firestore: () => Promise<Firestore>;
  readonly getAll: (refs: readonly DocumentReference[]) => Promise<DocumentSnapshot[]>;
  readonly query: (query: Query) => Promise<QuerySnapshot>;
  readonly count: (query: Query) => Promise<number>;
  readonly sum: (query: Query, field: string) => Promise<number>;
}

export function directAccess(open: () => Promise<Firestore>): Access {
  return {
    firestore: () => guardFirestore(open),
    getAll: (refs) =>
      guardFirestore(async () => {
        const [only] = refs;
        if (refs.length === 1 && only !== undefined) return [await only.get()];
        return refs.length === 0 ? [] : (await open()).getAll(...refs);
      }),
    query: (query) => guardFirestore(() => query.get()),
    count: (query) => guardFirestore(async () => (await query.count().get()).data().count),
    sum: (query, field) => guardFirestore(async () => (await (await sumOf(query, field)).get()).data().sum),
  };
}

/** @param hasWritten true for the path of a document that the transaction changes */
export function transactionAccess(
  firestore: Firestore,
  transaction: Transaction,
  hasWritten: (path: string) => boolean,
): Access {
  return {
    firestore: () => Promise.resolve(firestore),
    getAll: async (refs) => {
      const changed = refs.find(({ path }) => hasWritten(path));
      if (changed !== undefined) throw new Error(`The transaction read ${changed.path} after it changed it.`);
      const [only] = refs;
      if (refs.length === 1 && only !== undefined) return [await transaction.get(only)];
      return refs.length === 0 ? [] : transaction.getAll(...refs);
    },
    query: (query) => transaction.get(query),
    count: async (query) => (await transaction.get(query.count())).data().count,
    sum: async (query, field) => (await transaction.get(await sumOf(query, field))).data().sum,
  };
}

/** The client is loaded by then. */
async function sumOf(query: Query, field: string) {
  const { AggregateField } = await import('firebase-admin/firestore');
  return query.aggregate({ sum: AggregateField.sum(field) });
}
