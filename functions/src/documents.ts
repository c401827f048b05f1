import type { CollectionReference, Firestore, FirestoreDataConverter } from 'firebase-admin/firestore';

/** The backend alone writes these documents (the security rules say so), so what is read has the type that was written. */
function trusting<Document extends object>(): FirestoreDataConverter<Document> {
  return {
    toFirestore: (document) => document,
    fromFirestore: (snapshot) => snapshot.data() as Document,
  };
}

/** A collection whose documents have a type. */
export function collectionOf<Document extends object>(
  firestore: Firestore,
  path: string,
): CollectionReference<Document> {
  return firestore.collection(path).withConverter(trusting<Document>());
}
