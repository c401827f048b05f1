import { invalidArgument } from '../errors.ts';
import { documentName, parseParent } from '../model/paths.ts';
import { Reference } from '../model/value.ts';
import { aggregate, fieldsOf, parseAggregations } from '../query/aggregate.ts';
import { parseQuery } from '../query/parsing/query.ts';
import { assertAggregable, assertPartitionable } from '../query/parsing/restrictions.ts';
import { isNameField } from '../query/query.ts';
import { openView } from '../transactions/view.ts';
import type { View } from '../transactions/view.ts';
import { encodeDocument } from '../wire/document-codec.ts';
import type {
  ConsistencySelector,
  WireAggregation,
  WireStructuredQuery,
  WireTimestamp,
} from '../wire/messages.ts';
import { encodeMicros, encodeValue } from '../wire/value-codec.ts';
import type { RequestContext } from './context.ts';
import { assertExplainable, explainMessage } from './explain.ts';
import type { ExplainOptions } from './explain.ts';

interface QueryRequest extends ConsistencySelector {
  parent?: string;
  structuredQuery?: WireStructuredQuery;
  explainOptions?: ExplainOptions;
}

export async function runQuery(context: RequestContext, request: QueryRequest): Promise<Iterable<object>> {
  const { store, ledger, indexes, guard } = context;
  const { explainOptions } = request;
  assertExplainable(context, explainOptions);
  const parent = parseParent(request.parent ?? '');
  const { database } = parent;
  if (!request.structuredQuery) throw invalidArgument('only structured queries are supported');
  const query = parseQuery(request.structuredQuery, parent);
  indexes?.assertServed(query);
  if (explainOptions && explainOptions.analyze !== true) return [explainMessage(query, [])];
  const start = performance.now();
  const view = openView(store.open(database), request, guard);
  const { documents, skipped } = await view.query(query);
  const matches = documents.length + skipped;
  const reads = ledger.query(database, matches);
  const readTime = encodeMicros(view.readTime());
  const mask = query.projection?.filter((field) => !isNameField(field));
  const results = documents.map((document, index) => ({
    document: encodeDocument(database, document, mask),
    readTime,
    ...(index === 0 && skipped > 0 && { skippedResults: skipped }),
  }));
  // Without a document, a message has the read time and the number of documents that the offset skipped.
  const summary = results.length > 0 ? [] : [{ readTime, ...(skipped > 0 && { skippedResults: skipped }) }];
  const messages = [...startedMessage(view), ...results, ...summary];
  if (!explainOptions) return messages;
  const duration = performance.now() - start;
  const execution = { results: results.length, matches, reads, isAggregation: false, duration };
  // As in production, the last message has the metrics.
  return [...messages.slice(0, -1), { ...messages.at(-1), ...explainMessage(query, [], execution) }];
}

interface AggregationQueryRequest extends ConsistencySelector {
  parent?: string;
  structuredAggregationQuery?: { structuredQuery?: WireStructuredQuery; aggregations?: WireAggregation[] };
  explainOptions?: ExplainOptions;
}

export async function runAggregationQuery(
  context: RequestContext,
  request: AggregationQueryRequest,
): Promise<Iterable<object>> {
  const { store, ledger, indexes, guard } = context;
  const { explainOptions } = request;
  assertExplainable(context, explainOptions);
  const parent = parseParent(request.parent ?? '');
  const { database } = parent;
  const { structuredQuery = {}, aggregations: wire = [] } = request.structuredAggregationQuery ?? {};
  const aggregations = parseAggregations(wire);
  const query = parseQuery(structuredQuery, parent);
  const fields = fieldsOf(aggregations);
  assertAggregable(query, fields);
  indexes?.assertServed(query, fields);
  if (explainOptions && explainOptions.analyze !== true) return [explainMessage(query, fields)];
  const start = performance.now();
  const view = openView(store.open(database), request, guard);
  const { documents, skipped } = await view.query(query);
  const matches = documents.length + skipped;
  const reads = ledger.aggregation(database, matches);
  const values = aggregate(database, documents, aggregations);
  const aggregateFields = Object.fromEntries(
    [...values].map(([alias, value]) => [alias, encodeValue(value)]),
  );
  const result = { result: { aggregateFields }, readTime: encodeMicros(view.readTime()) };
  if (!explainOptions) return [...startedMessage(view), result];
  const duration = performance.now() - start;
  const execution = { results: 1, matches, reads, isAggregation: true, duration };
  return [...startedMessage(view), { ...result, ...explainMessage(query, fields, execution) }];
}

const startedMessage = ({ started }: View): object[] =>
  started ? [{ transaction: Buffer.from(started.token) }] : [];

/** Cursors that divide the query's result into parts of about equal size, in the order of document names. */
export async function partitionQuery(
  { store, guard }: RequestContext,
  request: {
    parent?: string;
    structuredQuery?: WireStructuredQuery;
    partitionCount?: string;
    pageToken?: string;
    pageSize?: number;
    readTime?: WireTimestamp;
  },
): Promise<object> {
  const parent = parseParent(request.parent ?? '');
  const { database } = parent;
  const query = parseQuery(request.structuredQuery ?? {}, parent);
  assertPartitionable(query);
  const wanted = Number(request.partitionCount ?? 0);
  if (wanted <= 0) throw invalidArgument('partition_count must be greater than zero.');
  const { readTime } = request;
  const { documents } = await openView(store.open(database), readTime ? { readTime } : {}, guard).query(
    query,
  );
  const count = Math.min(wanted, Math.max(0, documents.length - 1));
  const cuts = Array.from({ length: count }, (_, cut) =>
    Math.floor(((cut + 1) * documents.length) / (count + 1)),
  );
  const partitions = [...new Set(cuts)].flatMap((index) => {
    const document = documents[index];
    return document ? [{ values: [encodeValue(new Reference(documentName(database, document.path)))] }] : [];
  });
  return page(partitions, request);
}

function page(partitions: readonly object[], request: { pageToken?: string; pageSize?: number }): object {
  const { pageToken = '', pageSize = 0 } = request;
  if (pageSize < 0) throw invalidArgument('Page size must be nonnegative.');
  if (!/^\d*$/.test(pageToken)) throw invalidArgument(`The page token "${pageToken}" is invalid.`);
  const start = Number(pageToken);
  const size = pageSize === 0 ? partitions.length : pageSize;
  const end = start + size;
  return {
    partitions: partitions.slice(start, end),
    ...(end < partitions.length && { nextPageToken: String(end) }),
  };
}
