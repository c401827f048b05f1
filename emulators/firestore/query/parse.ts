import { invalidArgument } from '../errors.ts';
import { formatFieldPath, parseFieldPath } from '../model/field-path.ts';
import { assertId } from '../model/paths.ts';
import type { Scope } from '../storage/scope.ts';
import type { WireCursor, WireFieldReference, WireOrder, WireStructuredQuery } from '../wire/messages.ts';
import { decodeValue } from '../wire/value-codec.ts';
import { parseNearest } from './nearest.ts';
import { parseFilter } from './parse-filter.ts';
import { isNameField, NAME_FIELD } from './query.ts';
import { assertSupported } from './restrictions.ts';
import type { Comparison, Cursor, Filter, Order, Query } from './query.ts';

/**
 * Reads a StructuredQuery below `parent` (a document path, or empty for the root) and spells out its implied orders.
 * Throws INVALID_ARGUMENT or FAILED_PRECONDITION as production would.
 */
export function parseQuery(wire: WireStructuredQuery, parent: string): Query {
  const filter = wire.where && parseFilter(wire.where);
  const orders = impliedOrders((wire.orderBy ?? []).map(parseOrder), filter);
  const query = {
    scope: parseScope(wire, parent),
    filter,
    orders,
    start: parseCursor(wire.startAt, orders),
    end: parseCursor(wire.endAt, orders),
    offset: nonNegative('offset', wire.offset ?? 0),
    limit: wire.limit ? nonNegative('limit', wire.limit.value ?? 0) : undefined,
    nearest: wire.findNearest && parseNearest(wire.findNearest),
    projection: wire.select && (wire.select.fields ?? []).map(parseField),
  };
  assertSupported(query);
  return query;
}

function parseScope({ from = [] }: WireStructuredQuery, parent: string): Scope {
  if (from.length > 1) throw invalidArgument('A query can select from one collection only.');
  const collectionId = from[0]?.collectionId ?? '';
  if (collectionId !== '') assertId(collectionId);
  return {
    parent,
    collectionId: collectionId === '' ? undefined : collectionId,
    allDescendants: from[0]?.allDescendants ?? false,
  };
}

const parseField = (reference: WireFieldReference): Order['field'] =>
  parseFieldPath(reference.fieldPath ?? '');

const parseOrder = ({ field, direction }: WireOrder): Order => ({
  field: parseField(field ?? {}),
  descending: direction === 'DESCENDING',
});

function nonNegative(name: string, value: number): number {
  if (value < 0) throw invalidArgument(`${name} is negative`);
  return value;
}

function parseCursor(cursor: WireCursor | undefined, orders: readonly Order[]): Cursor | undefined {
  if (!cursor) return undefined;
  const values = (cursor.values ?? []).map(decodeValue);
  if (values.length > orders.length) throw invalidArgument('Cursor has too many values.');
  return { values, before: cursor.before ?? false };
}

const INEQUALITIES: ReadonlySet<Comparison> = new Set(['<', '<=', '>', '>=', '!=', 'not-in']);

/**
 * After the query's own orders come the fields with an inequality, by name, then the document name, all in the
 * direction of the last own order: https://firebase.google.com/docs/firestore/query-data/order-limit-data
 */
function impliedOrders(explicit: readonly Order[], filter: Filter | undefined): readonly Order[] {
  const descending = explicit.at(-1)?.descending ?? false;
  const inequalities = new Map<string, Order>();
  collectInequalities(filter, (field) => inequalities.set(formatFieldPath(field), { field, descending }));
  for (const { field } of explicit) inequalities.delete(formatFieldPath(field));
  const implied = [...inequalities]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, order]) => order);
  const orders = [...explicit, ...implied.filter(({ field }) => !isNameField(field))];
  const byName = orders.some(({ field }) => isNameField(field));
  return byName ? orders : [...orders, { field: NAME_FIELD, descending }];
}

function collectInequalities(filter: Filter | undefined, found: (field: Order['field']) => void): void {
  if (!filter) return;
  if (filter.kind !== 'field') {
    for (const part of filter.filters) collectInequalities(part, found);
  } else if (INEQUALITIES.has(filter.op)) found(filter.field);
}
