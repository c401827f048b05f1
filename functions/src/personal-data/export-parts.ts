import type { DocumentReference, Firestore, Query, QueryDocumentSnapshot } from 'firebase-admin/firestore';

/** A user whose data are collected. */
export interface DataSubject {
  uid: string;
  /** Only a verified address is the user's: anybody can register another person's. */
  verifiedEmail: string | undefined;
}

/** One part of an export: one object, or a list of objects that is read page by page. */
export type ExportPart =
  | { one: (firestore: Firestore, subject: DataSubject) => Promise<object | null> }
  | { many: (firestore: Firestore, subject: DataSubject) => AsyncIterable<object> };

/** The parts of an export by their names, in their order. */
export type ExportParts = Readonly<Record<string, ExportPart>>;

const PAGE_SIZE = 200;

/** The fields of one document; null if it does not exist. */
export async function readOne(ref: DocumentReference<object>): Promise<object | null> {
  return (await ref.get()).data() ?? null;
}

/** Every document of a query, in the order of their names. Holds one page at a time. */
export async function* readAll<Document, View extends object>(
  query: Query<Document>,
  view: (document: Document, snapshot: QueryDocumentSnapshot<Document>) => View | Promise<View>,
): AsyncGenerator<View> {
  const ordered = query.orderBy('__name__').limit(PAGE_SIZE);
  let last: QueryDocumentSnapshot<Document> | undefined;
  do {
    const { docs } = await (last === undefined ? ordered : ordered.startAfter(last)).get();
    for (const document of docs) yield await view(document.data(), document);
    last = docs.length === PAGE_SIZE ? docs.at(-1) : undefined;
  } while (last !== undefined);
}

/** An empty list, for data that can only be found by an address. */
export async function* nothing(): AsyncGenerator<never> {}
