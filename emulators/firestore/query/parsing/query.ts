import { invalidArgument } from '../../errors.ts';
import { formatFieldPath, parseFieldPath } from '../../model/field-path.ts';
import { assertCollectionId, parseDocumentName } from '../../model/paths.ts';
import type { ResourcePath } from '../../model/paths.ts';
import { Reference } from '../../model/value.ts';
import type { Scope } from '../../storage/scope.ts';
import type { WireCursor, WireFieldReference, WireOrder, WireStructuredQuery } from '../../wire/messages.ts';
import { decodeValue } from '../../wire/value-codec.ts';
import { parseNearest } from '../nearest.ts';
import { fieldFiltersOf, isInequality, isNameField, NAME_FIELD } from '../query.ts';
import type { Cursor, Filter, Order, Query } from '../query.ts';
import { parseFilter } from './filter.ts';
import { assertSupported } from './restrictions.ts';

/**
 * Reads a StructuredQuery below `parent`, which is a document or the root of a database, and spells out its implied
 * orders. Throws INVALID_ARGUMENT or FAILED_PRECONDITION as production would.
 */
export function parseQuery(wire: WireStructuredQuery, parent: ResourcePath): Query {
  const filter = wire.where && parseFilter(wire.where, parent.database);
  const explicit = (wire.orderBy ?? []).map(parseOrder);
  const query = {
    scope: parseScope(wire, parent.path),
    filter,
    orders: withImplied(explicit, filter),
    explicitOrders: explicit,
    start: parseCursor(wire.startAt, explicit),
    end: parseCursor(wire.endAt, explicit),
    offset: nonNegative('offset', wire.offset ?? 0),
    limit: wire.limit ? nonNegative('limit', wire.limit.value ?? 0) : undefined,
    nearest: wire.findNearest && parseNearest(wire.findNearest),
    projection: wire.select && (wire.select.fields ?? []).map(parseField),
  };
  assertSupported(query);
  return query;
}

function parseScope({ from = [] }: WireStructuredQuery, parent: string): Scope {
  if (from.length > 1) {
    throw invalidArgument('StructuredQuery.from cannot have more than one collection selector.');
  }
  const collectionId = from[0]?.collectionId ?? '';
  if (collectionId !== '') assertCollectionId(collectionId);
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

/** A cursor has values for the orders that the query spells out, not for those that it implies. */
function parseCursor(cursor: WireCursor | undefined, explicit: readonly Order[]): Cursor | undefined {
  if (!cursor) return undefined;
  const values = (cursor.values ?? []).map(decodeValue);
  if (values.length > explicit.length) throw invalidArgument('Cursor has too many values.');
  const name = values[explicit.findIndex(({ field }) => isNameField(field))];
  if (name !== undefined) {
    if (!(name instanceof Reference))
      throw invalidArgument('Cursor __key__ value is not a document reference.');
    parseDocumentName(name.name);
  }
  return { values, before: cursor.before ?? false };
}

/**
 * After the query's own orders come the fields with an inequality, by name, then the document name, all in the
 * direction of the last own order: https://firebase.google.com/docs/firestore/query-data/order-limit-data
 */
function withImplied(explicit: readonly Order[], filter: Filter | undefined): readonly Order[] {
  const descending = explicit.at(-1)?.descending ?? false;
  const inequalities = new Map<string, Order>();
  for (const { field } of fieldFiltersOf(filter).filter(isInequality)) {
    inequalities.set(formatFieldPath(field), { field, descending });
  }
  for (const { field } of explicit) inequalities.delete(formatFieldPath(field));
  const implied = [...inequalities]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, order]) => order);
  const orders = [...explicit, ...implied.filter(({ field }) => !isNameField(field))];
  const byName = orders.some(({ field }) => isNameField(field));
  return byName ? orders : [...orders, { field: NAME_FIELD, descending }];
}
