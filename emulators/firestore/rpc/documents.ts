import { invalidArgument, notFound } from '../errors.ts';
import {
  assertId,
  childPath,
  documentName,
  parseDatabaseName,
  parseDocumentName,
  parseParent,
} from '../model/paths.ts';
import { commitAllowed } from '../rules/commit.ts';
import { openView } from '../transactions/view.ts';
import { encodeDocument } from '../wire/document-codec.ts';
import type {
  ConsistencySelector,
  WireDocument,
  WireMask,
  WirePrecondition,
  WireWrite,
} from '../wire/messages.ts';
import { encodeMicros } from '../wire/value-codec.ts';
import { parseMask, parseWrite } from '../write/write.ts';
import { autoId } from './auto-id.ts';
import type { RequestContext } from './context.ts';

export async function getDocument(
  { store, ledger, guard }: RequestContext,
  request: ConsistencySelector & { name?: string; mask?: WireMask },
): Promise<object> {
  const { database, path } = parseDocumentName(request.name ?? '');
  const mask = parseMask(request.mask);
  const [document] = await openView(store.open(database), request, guard).documents([path]);
  ledger.lookup(database, 1);
  if (!document) throw notFound(`Document "${documentName(database, path)}" not found.`);
  return encodeDocument(database, document, mask);
}

export async function batchGetDocuments(
  { store, ledger, guard }: RequestContext,
  request: ConsistencySelector & { database?: string; documents?: string[]; mask?: WireMask },
): Promise<Iterable<object>> {
  const database = parseDatabaseName(request.database ?? '');
  const mask = parseMask(request.mask);
  const paths = [...new Set((request.documents ?? []).map((name) => pathIn(database, name)))];
  const view = openView(store.open(database), request, guard);
  const documents = await view.documents(paths);
  ledger.lookup(database, paths.length);
  const readTime = encodeMicros(view.readTime());
  const started = view.started ? [{ transaction: Buffer.from(view.started.token) }] : [];
  const results = documents.map((document, index) =>
    document
      ? { found: encodeDocument(database, document, mask), readTime }
      : { missing: documentName(database, paths[index] ?? ''), readTime },
  );
  return [...started, ...results];
}

export async function createDocument(
  context: RequestContext,
  request: {
    parent?: string;
    collectionId?: string;
    documentId?: string;
    document?: WireDocument;
    mask?: WireMask;
  },
): Promise<object> {
  const { database, path } = parseParent(request.parent ?? '');
  const collectionId = request.collectionId ?? '';
  assertId(collectionId);
  const id = request.documentId === undefined || request.documentId === '' ? autoId() : request.documentId;
  assertId(id);
  const name = documentName(database, childPath(childPath(path, collectionId), id));
  const update = { ...request.document, name };
  return writeOne(context, database, { update, currentDocument: { exists: false } }, request.mask);
}

export async function updateDocument(
  context: RequestContext,
  request: {
    document?: WireDocument;
    updateMask?: WireMask;
    mask?: WireMask;
    currentDocument?: WirePrecondition;
  },
): Promise<object> {
  const { document: update = {}, updateMask, currentDocument } = request;
  const { database } = parseDocumentName(update.name ?? '');
  const write: WireWrite = {
    update,
    ...(updateMask && { updateMask }),
    ...(currentDocument && { currentDocument }),
  };
  return writeOne(context, database, write, request.mask);
}

export async function deleteDocument(
  context: RequestContext,
  request: { name?: string; currentDocument?: WirePrecondition },
): Promise<object> {
  const { database } = parseDocumentName(request.name ?? '');
  const { currentDocument } = request;
  const write = parseWrite(
    { delete: request.name ?? '', ...(currentDocument && { currentDocument }) },
    database,
  );
  await commitAllowed(context.store.open(database), context, [write]);
  context.ledger.write(database, { writes: 0, deletes: 1 });
  return {};
}

async function writeOne(
  context: RequestContext,
  database: string,
  wire: WireWrite,
  mask: WireMask | undefined,
): Promise<object> {
  const open = context.store.open(database);
  const write = parseWrite(wire, database);
  const responseMask = parseMask(mask);
  const { changes } = await commitAllowed(open, context, [write]);
  context.ledger.write(database, { writes: 1, deletes: 0 });
  const document = changes[0]?.after;
  return document ? encodeDocument(database, document, responseMask) : {};
}

function pathIn(database: string, name: string): string {
  const resource = parseDocumentName(name);
  if (resource.database === database) return resource.path;
  throw invalidArgument(`Document name "${name}" is not in the database "${database}" of the request.`);
}
