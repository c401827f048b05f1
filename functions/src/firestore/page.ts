import * as z from 'zod';
import { isDocumentId } from './document-id.ts';
import type { FoundPath, Query, Found } from './query.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

/** The last item of a page: the time that orders the list, and the id that orders items of one time. */
interface Cursor {
  at: Date;
  id: string;
}

const CURSOR = /^(\d{1,14}):(.+)$/s;

const cursorSchema = z
  .string()
  .max(1024)
  .transform((text, context): Cursor => {
    const [, at, id] = CURSOR.exec(Buffer.from(text, 'base64url').toString()) ?? [];
    if (at !== undefined && id !== undefined && isDocumentId(id)) return { at: new Date(Number(at)), id };
    context.addIssue({ code: 'custom', message: 'is not a cursor of this list' });
    return z.NEVER;
  });

/** The query of a paged route: `?limit=` from 1 to 100, and `?cursor=` with the `nextCursor` of the previous page. */
export const pageRequestSchema = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number')
    .transform(Number)
    .pipe(z.int().min(1).max(MAX_LIMIT))
    .default(DEFAULT_LIMIT),
  cursor: cursorSchema.optional(),
});

export type PageRequest = z.output<typeof pageRequestSchema>;

export interface PageOf<Item> {
  items: Item[];
  /** Cursor of the next page; null on the last page. */
  nextCursor: string | null;
}

/** The order of a paged list. Items of the same time are ordered by the path of their document. */
interface Order<Field> {
  by: Field;
  direction: 'asc' | 'desc';
  /**
   * The id in the cursor; by default the id of the document. Documents of a collection group can share an id, so the
   * query of a collection group needs `idOf` and `pathOf`.
   */
  idOf?: (found: FoundPath) => string;
  /** The inverse of `idOf` for a collection group: the path of the document with this id. */
  pathOf?: (id: string) => string;
}

/**
 * Reads one page of a query, and one document more to learn whether another page follows. Damaged documents are left
 * out, and do not make the page shorter.
 */
export async function readPage<Doc extends Record<Field, Date>, Field extends keyof Doc & string, Item>(
  query: Query<Doc>,
  { cursor, limit }: PageRequest,
  order: Order<Field>,
  view: (stored: Found<Doc>) => Item,
): Promise<PageOf<Item>> {
  const { by, direction, idOf = ({ id }: FoundPath) => id, pathOf = (id: string) => id } = order;
  const ordered = query.orderBy(by, direction).orderBy('__name__', direction);
  const rest = cursor === undefined ? ordered : ordered.startAfter(cursor.at, pathOf(cursor.id));
  const found = await take(limit + 1, rest.streamIntactInOrder(limit + 1));
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    items: found.slice(0, limit).map(view),
    nextCursor: last === undefined ? null : encodeCursor(last.data[by].getTime(), idOf(last)),
  };
}

async function take<Item>(count: number, items: AsyncIterable<Item>): Promise<Item[]> {
  const taken: Item[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}

const encodeCursor = (millis: number, id: string): string =>
  Buffer.from(`${millis}:${id}`).toString('base64url');
