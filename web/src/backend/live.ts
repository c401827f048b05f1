import {
  connectFirestoreEmulator,
  getFirestore,
  onSnapshot,
  type DocumentData,
  type DocumentReference,
  type Firestore,
  type FirestoreError,
  type Query,
} from 'firebase/firestore';
import type * as z from 'zod/mini';
import { startFirebase } from './firebase.ts';
import { shared } from './shared.ts';
import { useListener, type Live } from './source.ts';
import { fieldsOf } from './stored.ts';

const firestore = shared(setUp);

/** Firestore as the signed-in user may read it, see firestore.rules. */
export function startFirestore(): Promise<Firestore> {
  return firestore.get();
}

async function setUp(): Promise<Firestore> {
  const { app, emulators } = await startFirebase();
  const firestore = getFirestore(app);
  if (emulators.firestore !== undefined) {
    const { hostname, port } = new URL(`http://${emulators.firestore}`);
    connectFirestoreEmulator(firestore, hostname, Number(port));
  }
  return firestore;
}

/** Parses a document with its id, and with the id of the document that its collection belongs to, if any. */
function parse<Item>(schema: z.ZodMiniType<Item>, reference: DocumentReference, data: DocumentData): Item {
  return schema.parse({ ...fieldsOf(data), id: reference.id, parentId: reference.parent.parent?.id });
}

/** With these options an empty result is reported again once the server has confirmed it. */
const EVERY_CHANGE = { includeMetadataChanges: true };

/**
 * The documents of a query, kept up to date while a component shows them.
 *
 * @param key identifies the query; undefined listens to nothing
 * @param isWanted whether the document at a path counts; by default every document
 */
export function useLiveQuery<Item>(
  key: string | undefined,
  query: (firestore: Firestore) => Query,
  schema: z.ZodMiniType<Item>,
  isWanted: (path: string) => boolean = () => true,
): Live<Item[]> {
  return useFirestore(key, (firestore, next, fail) =>
    onSnapshot(
      query(firestore),
      EVERY_CHANGE,
      ({ docs, metadata }) => {
        // Without a connection the SDK reports an empty result from its cache, which may differ from the server's.
        if (metadata.fromCache && docs.length === 0) return;
        const wanted = docs.filter(({ ref }) => isWanted(ref.path));
        next(() => wanted.map((document) => parse(schema, document.ref, document.data())));
      },
      fail,
    ),
  );
}

/** A document, kept up to date while a component shows it; its value is undefined when there is none. */
export function useLiveDocument<Item>(
  key: string | undefined,
  reference: (firestore: Firestore) => DocumentReference,
  schema: z.ZodMiniType<Item>,
): Live<Item | undefined> {
  return useFirestore(key, (firestore, next, fail) =>
    onSnapshot(
      reference(firestore),
      EVERY_CHANGE,
      (document) => {
        const data = document.data();
        if (document.metadata.fromCache && data === undefined) return;
        next(() => (data === undefined ? undefined : parse(schema, document.ref, data)));
      },
      fail,
    ),
  );
}

type Listen<Value> = (
  firestore: Firestore,
  next: (read: () => Value) => void,
  fail: (error: FirestoreError) => void,
) => () => void;

function useFirestore<Value>(key: string | undefined, listen: Listen<Value>): Live<Value> {
  return useListener<Value>(key, (next, fail) => {
    let isOver = false;
    let stop: (() => void) | undefined;
    startFirestore().then((firestore) => {
      if (isOver) return;
      stop = listen(
        firestore,
        (read) => {
          try {
            next(read());
          } catch (error) {
            // A document with an unexpected shape, such as one that was written by hand.
            fail(error);
          }
        },
        fail,
      );
    }, fail);
    return () => {
      isOver = true;
      stop?.();
    };
  });
}
