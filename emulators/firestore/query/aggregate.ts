import { invalidArgument } from '../errors.ts';
import { parseFieldPath } from '../model/field-path.ts';
import type { FieldPath } from '../model/field-path.ts';
import { isNumeric } from '../model/value.ts';
import type { Value } from '../model/value.ts';
import type { StoredDocument } from '../storage/document.ts';
import type { WireAggregation } from '../wire/messages.ts';
import { fieldOf } from './filter.ts';
import { isNameField } from './query.ts';

export interface Aggregation {
  readonly alias: string;
  readonly kind: 'count' | 'sum' | 'avg';
  /** Undefined for a count. */
  readonly field: FieldPath | undefined;
  /** Where a count stops. */
  readonly upTo: bigint | undefined;
}

const MAX_AGGREGATIONS = 5;

/** Reads the aggregations of a query. Throws INVALID_ARGUMENT. */
export function parseAggregations(wire: readonly WireAggregation[]): readonly Aggregation[] {
  if (wire.length === 0) throw invalidArgument('Aggregations can not be empty.');
  if (wire.length > MAX_AGGREGATIONS) {
    throw invalidArgument(
      `The maximum number of aggregations allowed in an aggregation query is ${MAX_AGGREGATIONS}. Received: ${wire.length}`,
    );
  }
  const aggregations = wire.map(parseAggregation);
  const aliases = aggregations.map(({ alias }) => alias);
  const duplicate = aliases.find((alias, index) => aliases.indexOf(alias) < index);
  if (duplicate !== undefined) {
    throw invalidArgument(`Aggregation aliases contain duplicate alias: ${duplicate}.`);
  }
  return aggregations;
}

function parseAggregation(wire: WireAggregation, index: number): Aggregation {
  const alias = wire.alias === undefined || wire.alias === '' ? `field_${index + 1}` : wire.alias;
  if (wire.count) return { alias, kind: 'count', field: undefined, upTo: parseUpTo(wire.count) };
  const kind = wire.sum ? 'sum' : 'avg';
  const reference = wire.sum?.field ?? wire.avg?.field;
  if (!reference) throw invalidArgument('An aggregation must be a count, a sum or an average.');
  const field = parseFieldPath(reference.fieldPath ?? '');
  if (isNameField(field)) {
    throw invalidArgument('Aggregations are not supported for the property: __key__');
  }
  return { alias, kind, field, upTo: undefined };
}

function parseUpTo({ upTo }: NonNullable<WireAggregation['count']>): bigint | undefined {
  if (!upTo) return undefined;
  const limit = BigInt(upTo.value ?? '0');
  if (limit <= 0n) throw invalidArgument('up_to of a count must be greater than zero.');
  return limit;
}

/** The fields that are summed or averaged. */
export const fieldsOf = (aggregations: readonly Aggregation[]): readonly FieldPath[] =>
  aggregations.map(({ field }) => field).filter((field) => field !== undefined);

/**
 * The aggregations over the documents. As in production, a document lacking a field that any of them aggregates counts
 * for none of them: https://firebase.google.com/docs/firestore/query-data/aggregation-queries#limitations
 */
export function aggregate(
  database: string,
  documents: readonly StoredDocument[],
  aggregations: readonly Aggregation[],
): ReadonlyMap<string, Value> {
  const fields = fieldsOf(aggregations);
  const complete = documents.filter((document) =>
    aggregations.every(({ field }) => !field || fieldOf(database, document, field) !== undefined),
  );
  const included = fields.length === 0 ? documents : complete;
  return new Map(
    aggregations.map((aggregation) => [aggregation.alias, compute(database, included, aggregation)]),
  );
}

function compute(
  database: string,
  documents: readonly StoredDocument[],
  { field, kind, upTo }: Aggregation,
): Value {
  if (!field) {
    const count = BigInt(documents.length);
    return upTo !== undefined && count > upTo ? upTo : count;
  }
  const values = documents.map((document) => fieldOf(database, document, field)).filter(isNumeric);
  if (kind === 'sum') return sum(values);
  return values.length === 0 ? null : Number(sum(values)) / values.length;
}

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** An integer while all values are and the sum fits in int64, else a double. Nothing sums to the integer 0. */
export function sum(values: readonly (bigint | number)[]): bigint | number {
  let integers = 0n;
  let doubles = 0;
  let exact = true;
  for (const value of values) {
    if (typeof value === 'bigint') integers += value;
    else {
      doubles += value;
      exact = false;
    }
  }
  const fits = integers <= INT64_MAX && integers >= INT64_MIN;
  return exact && fits ? integers : Number(integers) + doubles;
}
