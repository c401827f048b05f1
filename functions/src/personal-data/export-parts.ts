import { readIntactOrLogged } from '../firestore/damage.ts';
import type { Db } from '../firestore/db.ts';
import { isIntact, type Query, type Found } from '../firestore/query.ts';

/** The user whose data is exported. */
export interface ExportedUser {
  readonly uid: string;
  /** Undefined for an unverified address: anybody can register another person's address. */
  readonly verifiedEmail: string | undefined;
}

/** One part of an export: one object, or a list of objects that is read page by page. */
export type ExportPart =
  | { readonly one: (db: Db, subject: ExportedUser) => Promise<object | null> }
  | { readonly many: (db: Db, subject: ExportedUser) => ExportList };

/** The items of a list; undefined for an item that could not be read because a document is damaged. */
export type ExportList = AsyncIterable<object | undefined>;

/** The parts of an export by their names, in the order of the file. */
export type ExportParts = Readonly<Record<string, ExportPart>>;

/**
 * Converts every document of a query for an export, in the order of the query and then of the paths. One page is in
 * memory at a time.
 *
 * @param pageSize the number of documents of a page; a small one for documents that may be large
 */
export async function* exportAll<Doc, View extends object>(
  query: Query<Doc>,
  view: (stored: Found<Doc>) => View | Promise<View>,
  pageSize?: number,
): AsyncGenerator<View | undefined> {
  const viewOf = async (stored: Found<Doc>) => view(stored);
  for await (const found of query.streamWithDamaged(pageSize)) {
    yield isIntact(found) ? await readIntactOrLogged(viewOf(found)) : undefined;
  }
}

export async function* exportNothing(): AsyncGenerator<never> {}
