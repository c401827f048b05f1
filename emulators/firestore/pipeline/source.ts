import { invalidArgument } from '../errors.ts';
import { assertCollectionId, assertId, lastSegment, parentOf, parseDocumentName } from '../model/paths.ts';
import { NAME_FIELD } from '../query/query.ts';
import type { Query } from '../query/query.ts';
import type { Scope } from '../storage/scope.ts';
import type { WireExpression, WireStage } from '../wire/messages.ts';
import { textArgument } from './arguments.ts';
import { provenQuery } from './proven.ts';
import { notServed } from './refusal.ts';
import { rowOf } from './row.ts';
import type { Source } from './stages/stage.ts';

const SOURCES = new Set(['collection', 'collection_group', 'database', 'documents']);

export const isSource = (name: string): boolean => SOURCES.has(name);

/** Reads the first stage of a pipeline in the database. `rest` are the stages after it. */
export function compileSource(
  { name = '', args = [] }: WireStage,
  rest: readonly WireStage[],
  database: string,
): Source {
  if (name === 'documents') return documentsSource(args, database);
  if (!isSource(name)) throw notServed(`The first stage "${name}"`);
  return querySource(scopeOf(name, args), rest);
}

function scopeOf(name: string, args: readonly WireExpression[]): Scope {
  if (name === 'database') return { parent: '', collectionId: undefined, allDescendants: true };
  if (name === 'collection_group') {
    const collectionId = textArgument(name, args[1]);
    assertCollectionId(collectionId);
    return { parent: '', collectionId, allDescendants: true };
  }
  const path = relativePath(args[0]);
  const segments = path.split('/');
  if (segments.length % 2 === 0) throw invalidArgument(`"${path}" is not the path of a collection.`);
  for (const segment of segments) assertId(segment);
  return { parent: parentOf(path), collectionId: lastSegment(path), allDescendants: false };
}

/** A path below the database, which starts with a slash. */
function relativePath(wire: WireExpression | undefined): string {
  const path = wire?.referenceValue ?? '';
  if (path.startsWith('/') && path.length > 1) return path.slice(1);
  throw invalidArgument('The first stage of a pipeline needs a path such as "/cities".');
}

function querySource(scope: Scope, rest: readonly WireStage[]): Source {
  const query: Query = {
    scope,
    filter: undefined,
    orders: [{ field: NAME_FIELD, descending: false }],
    explicitOrders: [],
    start: undefined,
    end: undefined,
    offset: 0,
    limit: undefined,
    projection: undefined,
  };
  const proven = provenQuery(query, rest);
  return async ({ view, context, count }) => {
    const { documents } = await view.query(query, proven);
    count(documents.length);
    return documents.map((document) => rowOf(context, document));
  };
}

/** Documents that do not exist are left out. */
function documentsSource(args: readonly WireExpression[], database: string): Source {
  const paths = args.map((arg) => parseDocumentName(`${database}/documents/${relativePath(arg)}`).path);
  if (paths.length === 0) throw invalidArgument('The stage "documents" needs at least one document.');
  return async ({ view, context, count }) => {
    const documents = await view.documents([...new Set(paths)]);
    count(paths.length);
    return documents.flatMap((document) => (document ? [rowOf(context, document)] : []));
  };
}
