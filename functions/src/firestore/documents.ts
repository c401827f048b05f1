import type {
  CollectionReference,
  Firestore,
  FirestoreDataConverter,
  Query,
  Timestamp,
} from 'firebase-admin/firestore';

/** A document as it is written: the Admin SDK stores a Date as a Timestamp. */
export type Writable<Document> = {
  [Key in keyof Document]: Timestamp extends Document[Key]
    ? Date | Exclude<Document[Key], Timestamp>
    : Document[Key];
};

/** The backend alone writes these documents (the security rules say so), so what is read has the type that was written. */
function trusting<Document extends object>(): FirestoreDataConverter<Document> {
  return {
    toFirestore: (document) => document,
    fromFirestore: (snapshot) => snapshot.data() as Document,
  };
}

/** Without the Firestore client, which is slow to load. */
export function isTimestamp(value: unknown): value is Timestamp {
  return typeof value === 'object' && value !== null && 'toDate' in value && 'toMillis' in value;
}

/** A collection whose documents have a type. */
export function collectionOf<Document extends object>(
  firestore: Firestore,
  path: string,
): CollectionReference<Document> {
  return firestore.collection(path).withConverter(trusting<Document>());
}

/** All collections of one id, wherever they are, whose documents have a type. */
export function groupOf<Document extends object>(firestore: Firestore, id: string): Query<Document> {
  return firestore.collectionGroup(id).withConverter(trusting<Document>());
}

/** Firestore takes so many values in one `in` filter. https://firebase.google.com/docs/firestore/query-data/queries#limitations */
const MAX_IN = 30;

/** Values in lists that are short enough for `in`. */
export function inChunks<Value>(values: readonly Value[]): Value[][] {
  const starts = Array.from({ length: Math.ceil(values.length / MAX_IN) }, (_, index) => index * MAX_IN);
  return starts.map((start) => values.slice(start, start + MAX_IN));
}

/** Whether a text can be the id of a user or of a document of ours. https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields */
export function isDocumentId(text: string): boolean {
  return /^(?!\.{1,2}$|__.*__$)[^/]{1,128}$/.test(text);
}
