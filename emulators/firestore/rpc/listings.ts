import { invalidArgument, permissionDenied } from '../errors.ts';
import { comparePaths, compareStrings } from '../model/compare.ts';
import { assertId, childPath, documentName, isBelow, parseParent } from '../model/paths.ts';
import { parseOrderBy } from '../query/parsing/order-by.ts';
import { parseQuery } from '../query/parsing/query.ts';
import type { Database } from '../storage/database.ts';
import type { StoredDocument } from '../storage/document.ts';
import { openView } from '../transactions/view.ts';
import { encodeDocument } from '../wire/document-codec.ts';
import type { ConsistencySelector, WireMask, WireTimestamp } from '../wire/messages.ts';
import { decodeTimestamp } from '../wire/value-codec.ts';
import { parseMask } from '../write/write.ts';
import type { RequestContext } from './context.ts';
import { pageAfter, pageOf } from './pages.ts';

interface ListDocumentsRequest extends ConsistencySelector {
  parent?: string;
  collectionId?: string;
  pageSize?: number;
  pageToken?: string;
  orderBy?: string;
  mask?: WireMask;
  showMissing?: boolean;
}

/**
 * Lists the documents of a collection by id or in the requested order, on request with missing documents that have
 * subcollections.
 */
export async function listDocuments(
  { store, ledger, guard }: RequestContext,
  request: ListDocumentsRequest,
): Promise<object> {
  const { database: name, path: parent } = parseParent(request.parent ?? '');
  const collectionId = request.collectionId ?? '';
  assertId(collectionId);
  const orderBy = parseOrderBy(request.orderBy ?? '');
  if (request.showMissing === true && orderBy.length > 0) {
    throw invalidArgument('show_missing and order_by cannot be used together.');
  }
  const open = store.open(name);
  const mask = parseMask(request.mask);
  const view = openView(open, request, guard);
  const { documents } = await view.query(
    parseQuery({ from: [{ collectionId }], orderBy }, { database: name, path: parent }),
  );
  const entries = new Map<string, StoredDocument | undefined>(
    documents.map((document) => [document.path, document]),
  );
  if (request.showMissing === true) {
    for (const path of missingDocuments(open.database, childPath(parent, collectionId), pastOf(request))) {
      if (!entries.has(path)) entries.set(path, undefined);
    }
  }
  const paths = [...entries.keys()];
  const { items, ...next } =
    orderBy.length > 0 ? pageAfter(paths, request) : pageOf(paths.sort(comparePaths), comparePaths, request);
  ledger.query(name, items.length);
  return {
    documents: items.map((path) => {
      const document = entries.get(path);
      return document ? encodeDocument(name, document, mask) : { name: documentName(name, path) };
    }),
    ...next,
  };
}

export async function listCollectionIds(
  { store, ledger, guard }: RequestContext,
  request: { parent?: string; pageSize?: number; pageToken?: string; readTime?: WireTimestamp },
): Promise<object> {
  if (guard) throw permissionDenied('Only administrators may list collections.');
  const { database: name, path: parent } = parseParent(request.parent ?? '');
  const { database } = store.open(name);
  const ids = new Set(
    liveCollections(database, parent, pastOf(request)).map(
      (collection) => relativeTo(parent, collection)[0] ?? '',
    ),
  );
  const { items, ...next } = pageOf([...ids].sort(compareStrings), compareStrings, request);
  ledger.query(name, items.length);
  return Promise.resolve({ collectionIds: items, ...next });
}

const pastOf = ({ readTime }: { readTime?: WireTimestamp }): number | undefined =>
  readTime && decodeTimestamp(readTime).toMicros();

/** Paths of documents in the collection that have documents below them. */
const missingDocuments = (database: Database, collection: string, readTime?: number): string[] =>
  liveCollections(database, collection, readTime).flatMap((below) => {
    const id = relativeTo(collection, below)[0];
    return id === undefined ? [] : [childPath(collection, id)];
  });

function liveCollections(database: Database, below: string, readTime?: number): string[] {
  return [...database.collectionPaths()].filter(
    (collection) => isBelow(collection, below) && database.hasDocuments(collection, readTime),
  );
}

const relativeTo = (ancestor: string, path: string): string[] =>
  path.slice(ancestor === '' ? 0 : ancestor.length + 1).split('/');
