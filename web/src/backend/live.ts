import {
  onSnapshot,
  type DocumentData,
  type DocumentReference,
  type Firestore,
  type FirestoreError,
  type Query,
} from 'firebase/firestore';
import { useEffect, useState } from 'preact/hooks';
import type * as z from 'zod/mini';
import { startFirestore } from './firestore.ts';

/** The state of a listener. */
export type Live<Value> =
  | { state: 'loading' }
  | { state: 'ready'; value: Value }
  | { state: 'failed'; error: Error; /** Listens again. */ retry: () => void };

/** Parses a document with its id, and with the id of the document that its collection belongs to, if any. */
function parse<Item>(schema: z.ZodMiniType<Item>, reference: DocumentReference, data: DocumentData): Item {
  return schema.parse({ ...data, id: reference.id, parentId: reference.parent.parent?.id });
}

/** So that an empty result is reported again once the server has confirmed it. */
const EVERY_CHANGE = { includeMetadataChanges: true };

const LOADING = { state: 'loading' } as const;

/**
 * The documents of a query, kept up to date while the component is shown.
 *
 * @param key tells one query from another; undefined listens to nothing
 */
export function useLiveQuery<Item>(
  key: string | undefined,
  query: (firestore: Firestore) => Query,
  schema: z.ZodMiniType<Item>,
): Live<Item[]> {
  return useLive(key, (firestore, next, fail) =>
    onSnapshot(
      query(firestore),
      EVERY_CHANGE,
      ({ docs, metadata }) => {
        // Without a connection the SDK reports an empty result of its own memory, which may differ from the server's.
        if (metadata.fromCache && docs.length === 0) return;
        next(() => docs.map((document) => parse(schema, document.ref, document.data())));
      },
      fail,
    ),
  );
}

/** A document, kept up to date while the component is shown; its value is undefined when there is none. */
export function useLiveDocument<Item>(
  key: string | undefined,
  reference: (firestore: Firestore) => DocumentReference,
  schema: z.ZodMiniType<Item>,
): Live<Item | undefined> {
  return useLive(key, (firestore, next, fail) =>
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

function useLive<Value>(key: string | undefined, listen: Listen<Value>): Live<Value> {
  const [seen, setSeen] = useState<{ key: string | undefined; live: Live<Value> }>({ key, live: LOADING });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (key === undefined) return undefined;
    const tell = (live: Live<Value>) => {
      if (!ended) setSeen({ key, live });
    };
    let ended = false;
    let unsubscribe = () => {
      ended = true;
    };
    const retry = () => {
      tell(LOADING);
      setAttempt(attempt + 1);
    };
    const fail = (error: Error) => {
      tell({ state: 'failed', error, retry });
    };
    startFirestore().then((firestore) => {
      if (ended) return;
      const stop = listen(
        firestore,
        (read) => {
          try {
            tell({ state: 'ready', value: read() });
          } catch (error) {
            // A document as nobody expects it, such as one that was written by hand.
            fail(error instanceof Error ? error : new Error(String(error)));
          }
        },
        fail,
      );
      unsubscribe = () => {
        ended = true;
        stop();
      };
    }, fail);
    return () => {
      unsubscribe();
    };
  }, [key, attempt]);
  // The result of another query is never shown for this one.
  return seen.key === key ? seen.live : LOADING;
}

/** The value as far as it is known. */
export function valueOf<Value>(live: Live<Value>): Value | undefined {
  return live.state === 'ready' ? live.value : undefined;
}
