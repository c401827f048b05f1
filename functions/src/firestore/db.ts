import type { DocumentReference, Firestore, Transaction } from 'firebase-admin/firestore';
import type * as z from 'zod';
import { addCost } from '../common/costs.ts';
import { DAY_MS } from '../common/durations.ts';
import { directAccess, transactionAccess, type ReadAccess } from './access.ts';
import {
  DirectCollection,
  ReadCollection,
  toData,
  toUpdate,
  TxCollection,
  type TxContext,
  type Write,
} from './collection.ts';
import {
  NESTED_COLLECTIONS,
  ROOT_COLLECTIONS,
  type NestedDocuments,
  type RootDocuments,
} from './collections.ts';
import type { NewAuditEntry } from './documents/audit-entry.ts';
import { guardFirestore } from './failures.ts';
import { Query, type MaybeDamaged } from './query.ts';
import { tracedInFirestore, tracedTransaction } from './span.ts';

/** The class of a collection for each kind of access: reading only, directly, or in a transaction. */
interface CollectionByAccess<Doc extends object> {
  read: ReadCollection<Doc>;
  direct: DirectCollection<Doc>;
  tx: TxCollection<Doc>;
}

type Collections<Access extends keyof CollectionByAccess<object>> = {
  readonly [Name in keyof RootDocuments]: CollectionByAccess<RootDocuments[Name]>[Access];
} & {
  readonly [Name in keyof NestedDocuments]: (
    parentId: string,
  ) => CollectionByAccess<NestedDocuments[Name]>[Access];
} & {
  /** All collections of one name, below any document. */
  readonly group: <Name extends keyof NestedDocuments>(name: Name) => Query<NestedDocuments[Name]>;
};

/** Reads all collections, directly or within a transaction. */
export type Reads = Collections<'read'>;

/**
 * A transaction under way. A read locks its documents until the commit. A query also keeps other transactions from
 * adding documents that the query would find. Several transactions can hold the lock of a read at the same time. A
 * writer waits for all of them. If two transactions wait for each other, one of them runs again.
 *
 * Writes are kept until the body has ended, so the body may read after a write. Reading a document by its id after this
 * body has changed the document is an error. A query or count does not see the writes of its own transaction.
 */
export interface Tx extends Collections<'tx'> {
  readonly audit: {
    /** Records an entry of the audit log. The entry is stored if and only if the transaction commits. */
    readonly record: (entry: NewAuditEntry) => void;
  };
}

/** Access to the database. Each read or write is independent; `run` makes several of them one transaction. */
export interface Db extends Collections<'direct'> {
  /**
   * Runs a transaction, and repeats it after a conflict with another one. Apart from writing to `tx`, the body may only
   * do what is safe to repeat. Examples are reading from Stripe, and copying an object with a precondition on its
   * generation.
   *
   * docs/architecture.md has an example.
   *
   * @throws Refusal `busy` if Firestore does not answer or too many transactions want the same documents
   */
  readonly run: <Result>(body: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** Runs reads that all see the database at one moment. They lock nothing and wait for no lock. */
  readonly snapshot: <Result>(body: (reads: Reads) => Promise<Result>) => Promise<Result>;
  /**
   * Deletes at most `limit` documents of a query, damaged ones included, in one commit.
   *
   * @param limit at most 500, which is the limit of a commit
   * @returns how many were deleted; fewer than `limit` means that none is left
   */
  readonly purge: (query: Query<never> | Query<object>, limit: number) => Promise<number>;
  /**
   * Changes at most `limit` documents of a query in one transaction. `change` must make the found documents leave the
   * query, because the calling function repeats the call until fewer than `limit` documents are found. An empty
   * result costs one read and no commit.
   *
   * @returns how many were found
   */
  readonly changeFound: <Doc extends object>(
    find: (reads: Reads) => Query<Doc>,
    limit: number,
    change: (tx: Tx, found: readonly MaybeDamaged<Doc>[]) => Promise<void> | void,
  ) => Promise<number>;
}

export interface DbOptions {
  /** Opens the client, once. Because the client is slow to load, this is called at the first use. */
  readonly open: () => Promise<Firestore>;
  /** Days that an entry of the audit log is kept. */
  readonly auditDays: number;
}

/**
 * Transactions that read and then change the same document conflict. Example: fifty people accept one shared
 * invitation. For the last of them the client's default of five attempts is too few. More than eleven attempts are
 * impossible, because the client pauses once before each attempt, also the first, and allows eleven pauses.
 */
const MAX_TRANSACTION_ATTEMPTS = 11;

export function createDb(options: DbOptions): Db {
  const { open } = options;
  const access = directAccess(open);
  const collections: Collections<'direct'> = collectionsWith(
    access,
    (schema, path) => new DirectCollection(access, schema, path),
  );
  const db: Db = {
    ...collections,
    run: (body) =>
      tracedTransaction((attempt) =>
        guardFirestore(async () => {
          const firestore = await open();
          const { result, writes } = await firestore.runTransaction(
            (transaction) => attempt(() => runBody(options, firestore, transaction, body)),
            { maxAttempts: MAX_TRANSACTION_ATTEMPTS },
          );
          addWrites(writes);
          return result;
        }),
      ),
    snapshot: (body) =>
      tracedInFirestore('snapshot', undefined, () =>
        guardFirestore(async () => {
          const firestore = await open();
          return firestore.runTransaction(
            (transaction) => {
              const reading = transactionAccess(firestore, transaction, () => false);
              return body(
                collectionsWith(reading, (schema, path) => new ReadCollection(reading, schema, path)),
              );
            },
            { readOnly: true },
          );
        }),
      ),
    purge: async (query, limit) => {
      const found = await query.limit(limit).findPlaces();
      const firestore = await open();
      const batch = firestore.batch();
      for (const { path } of found) batch.delete(firestore.doc(path));
      await tracedInFirestore('commit', undefined, () => guardFirestore(() => batch.commit()));
      addCost('deletes', found.length);
      return found.length;
    },
    changeFound: async (find, limit, change) => {
      if (await find(db).isEmpty()) return 0;
      return db.run(async (tx) => {
        const found = await find(tx).limit(limit).findWithDamaged();
        await change(tx, found);
        return found.length;
      });
    },
  };
  return db;
}

async function runBody<Result>(
  { auditDays }: DbOptions,
  firestore: Firestore,
  transaction: Transaction,
  body: (tx: Tx) => Promise<Result>,
): Promise<{ result: Result; writes: readonly Write[] }> {
  const writes: Write[] = [];
  const hasWritten = (path: string) => writes.some(({ ref }) => ref.path === path);
  const access = transactionAccess(firestore, transaction, hasWritten);
  const context: TxContext = { access, firestore, keep: (write) => writes.push(write) };
  const collections: Collections<'tx'> = collectionsWith(
    access,
    (schema, path) => new TxCollection(context, schema, path),
  );
  const record = (entry: NewAuditEntry) => {
    const deleteAt = new Date(entry.at.getTime() + auditDays * DAY_MS);
    collections.auditLog.create(collections.auditLog.newId(), { details: {}, ...entry, deleteAt });
  };
  const result = await body(Object.assign(collections, { audit: { record } }));
  for (const write of writes) await apply(transaction, write);
  return { result, writes };
}

/** Firestore bills only the writes of the attempt that was committed. */
function addWrites(writes: readonly Write[]): void {
  const deletes = writes.filter(({ kind }) => kind === 'delete').length;
  addCost('deletes', deletes);
  addCost('writes', writes.length - deletes);
}

async function apply(transaction: Transaction, write: Write): Promise<void> {
  // The references have no converter: documents are written with the fields that they have.
  const ref: DocumentReference = write.ref;
  if (write.kind === 'create') transaction.create(ref, toData(ref, write.data));
  else if (write.kind === 'set') transaction.set(ref, toData(ref, write.data));
  else if (write.kind === 'update') transaction.update(ref, await toUpdate(ref, write.data));
  else transaction.delete(ref);
}

type Make<Access extends keyof CollectionByAccess<object>> = <Doc extends object>(
  schema: z.core.$ZodType<Doc>,
  path: string,
) => CollectionByAccess<Doc>[Access];

/**
 * Makes all collections of the database for one kind of access. A property makes its collection when it is read,
 * because a transaction uses few of them.
 */
function collectionsWith<Access extends keyof CollectionByAccess<object>>(
  access: ReadAccess,
  make: Make<Access>,
): Collections<Access> {
  const collections = {
    group: (name: keyof NestedDocuments) => {
      const { group, schema } = NESTED_COLLECTIONS[name];
      return new Query(access, schema, group, (firestore) => firestore.collectionGroup(group));
    },
  };
  for (const [name, { path, schema }] of Object.entries(ROOT_COLLECTIONS)) {
    const get = () => make(schema as z.core.$ZodType<object>, path);
    Object.defineProperty(collections, name, { get, enumerable: true });
  }
  for (const [name, { parent, group, schema }] of Object.entries(NESTED_COLLECTIONS)) {
    const value = (parentId: string) =>
      make(schema as z.core.$ZodType<object>, nestedPath(`${parent}/{}/${group}`, parentId));
    Object.defineProperty(collections, name, { value, enumerable: true });
  }
  return collections as unknown as Collections<Access>;
}

/** @param parentId ids for the `{}` of the path, separated by slashes */
function nestedPath(path: string, parentId: string): string {
  const ids = parentId.split('/');
  return path.replaceAll('{}', () => ids.shift() ?? '');
}
