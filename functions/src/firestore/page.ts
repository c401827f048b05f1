import type { DocumentReference, Query, Timestamp } from 'firebase-admin/firestore';
import * as z from 'zod';
import { isDocumentId } from './documents.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

/** Where a page ended: the time by which its list is ordered, and the id that tells documents of one time apart. */
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

/** The query of a paged route: `?limit=` 1 to 100, and `?cursor=` as the page before told it. */
export const pageSchema = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number')
    .transform(Number)
    .pipe(z.int().min(1).max(MAX_LIMIT))
    .default(DEFAULT_LIMIT),
  cursor: cursorSchema.optional(),
});

export type Page = z.output<typeof pageSchema>;

export interface PageOf<Item> {
  items: Item[];
  /** For the page after this one; null when there is none. */
  nextCursor: string | null;
}

/** The answer of a paged route. */
export const pageOf = (name: string, item: z.ZodType) =>
  z.strictObject({ [name]: z.array(item), nextCursor: z.string().nullable() });

interface Order {
  /** A field with a time. */
  by: string;
  direction: 'asc' | 'desc';
  /** Of a document's id in the cursor: only a collection group needs one of its own. */
  idOf?: (ref: DocumentReference) => string;
  /** What Firestore compares with a document's name. */
  nameOf?: (id: string) => string;
}

/**
 * Reads one page of a query, and one document more to know whether there is another page.
 *
 * A page goes on where the one before ended, whatever was added or removed meanwhile. The times are compared in
 * milliseconds, in which the backend writes them.
 */
export async function readPage<Document extends object, Item>(
  query: Query<Document>,
  page: Page,
  order: Order,
  view: (id: string, document: Document) => Item,
): Promise<PageOf<Item>> {
  const { by, direction, idOf = (ref: DocumentReference) => ref.id, nameOf = (id: string) => id } = order;
  const ordered = query.orderBy(by, direction).orderBy('__name__', direction);
  const { cursor, limit } = page;
  const rest = cursor === undefined ? ordered : ordered.startAfter(cursor.at, nameOf(cursor.id));
  const { docs } = await rest.limit(limit + 1).get();
  const last = docs.length > limit ? docs[limit - 1] : undefined;
  return {
    items: docs.slice(0, limit).map((document) => view(idOf(document.ref), document.data())),
    nextCursor:
      last === undefined ? null : encodeCursor((last.get(by) as Timestamp).toMillis(), idOf(last.ref)),
  };
}

const encodeCursor = (millis: number, id: string): string =>
  Buffer.from(`${millis}:${id}`).toString('base64url');
