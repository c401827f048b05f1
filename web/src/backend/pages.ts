import { limit, query, startAfter, type Firestore, type Query } from 'firebase/firestore';
import { useEffect, useRef, useState } from 'preact/hooks';
import type * as z from 'zod/mini';
import { useLiveQuery } from './live.ts';
import type { Live } from './source.ts';

/** The number of rows of a page. */
export const PAGE = 25;

/** A part of a list that is too long to be loaded as a whole. */
export interface Paged<Item> {
  items: Live<Item[]>;
  /** The number of items on the pages before this one. */
  before: number;
  /** Whether items follow that are not shown. */
  hasMore: boolean;
  /** Whether the items are those of the previous page or search, until the new ones are known. */
  isOld: boolean;
  /** Undefined if there is no such page. */
  showPrevious: (() => void) | undefined;
  showNext: (() => void) | undefined;
}

interface PagesOptions<Item> {
  /** Identifies the list. Another list begins at its first page. Undefined listens to nothing. */
  key: string | undefined;
  /** A query in a total order, which ends with the id of the document. */
  from: (firestore: Firestore) => Query;
  schema: z.ZodMiniType<Item>;
  /** The values of the fields by which the query is ordered. */
  cursorOf: (item: Item) => unknown[];
  size?: number;
}

/** One page of a query, kept up to date. Firestore reads the shown page only, and one document more. */
export function usePages<Item>({
  key,
  from,
  schema,
  cursorOf,
  size = PAGE,
}: PagesOptions<Item>): Paged<Item> {
  const [place, setPlace] = useState<{ key: string | undefined; cursors: unknown[][] }>({ key, cursors: [] });
  const cursors = place.key === key ? place.cursors : [];
  const cursor = cursors.at(-1);
  const live = useLiveQuery(
    key === undefined ? undefined : `${key} after ${JSON.stringify(cursor ?? [])}`,
    (firestore) =>
      query(from(firestore), ...(cursor === undefined ? [] : [startAfter(...cursor)]), limit(size + 1)),
    schema,
  );
  const { items, isOld } = useKept(live, key !== undefined);
  const all = items.state === 'ready' ? items.value : [];
  const last = all[size - 1];
  const hasMore = all.length > size;
  const isEmptied = live.state === 'ready' && all.length === 0 && cursors.length > 0;
  useEffect(() => {
    if (isEmptied) setPlace({ key, cursors: cursors.slice(0, -1) });
  }, [isEmptied]);
  return {
    items: items.state === 'ready' ? { state: 'ready', value: all.slice(0, size) } : items,
    before: cursors.length * size,
    hasMore,
    isOld,
    showPrevious:
      cursors.length === 0
        ? undefined
        : () => {
            setPlace({ key, cursors: cursors.slice(0, -1) });
          },
    showNext:
      last === undefined || !hasMore || isOld
        ? undefined
        : () => {
            setPlace({ key, cursors: [...cursors, cursorOf(last)] });
          },
  };
}

/** Keeps the old items while new ones are loading, so that the page does not jump. */
export function useKept<Item>(live: Live<Item[]>, isUsed = true): { items: Live<Item[]>; isOld: boolean } {
  const old = useRef<Live<Item[]>>(live);
  if (!isUsed) return { items: live, isOld: false };
  if (live.state !== 'loading') old.current = live;
  const isOld = live.state === 'loading' && old.current.state === 'ready';
  return { items: isOld ? old.current : live, isOld };
}
