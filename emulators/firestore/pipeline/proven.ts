import { parseFieldPath } from '../model/field-path.ts';
import { isArray } from '../model/value.ts';
import type { Value } from '../model/value.ts';
import type { Comparison, Filter, Query } from '../query/query.ts';
import type { WireExpression, WireFunction, WireStage } from '../wire/messages.ts';
import { constantOf } from './expression.ts';

const COMPARISONS: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ['equal', '=='],
  ['less_than', '<'],
  ['less_than_or_equal', '<='],
  ['greater_than', '>'],
  ['greater_than_or_equal', '>='],
  ['equal_any', 'in'],
  ['array_contains', 'array-contains'],
  ['array_contains_any', 'array-contains-any'],
]);

/**
 * The query that the security rules must allow for a pipeline: its source with the filters and the limit of the stages
 * directly after it, as far as a query can express them. Everything that the pipeline reads beyond its source is in
 * the result of that query.
 */
export function provenQuery(source: Query, stages: readonly WireStage[]): Query {
  const filters: Filter[] = [];
  let index = 0;
  for (; stages[index]?.name === 'where'; index++) {
    const filter = filterOf(stages[index]?.args?.[0]);
    if (filter) filters.push(filter);
  }
  const [only] = filters;
  const filter: Filter | undefined = filters.length > 1 ? { kind: 'and', filters } : only;
  const next = stages[index];
  const limit = next?.name === 'limit' ? constantOf(next.args?.[0]) : undefined;
  return { ...source, filter, limit: typeof limit === 'bigint' ? Number(limit) : undefined };
}

/** A filter that every match of the condition meets, or undefined if a query cannot express one. */
function filterOf(condition: WireExpression | undefined): Filter | undefined {
  const called = condition?.functionValue;
  if (!called) return undefined;
  const parts = (called.args ?? []).map(filterOf);
  const known = parts.filter((part) => part !== undefined);
  if (called.name === 'and') return known.length === 0 ? undefined : { kind: 'and', filters: known };
  if (called.name === 'or') {
    return known.length === parts.length && known.length > 0 ? { kind: 'or', filters: known } : undefined;
  }
  return fieldFilter(called);
}

function fieldFilter({ name = '', args: [field, operand] = [] }: WireFunction): Filter | undefined {
  const op = COMPARISONS.get(name);
  if (op === undefined || field?.fieldReferenceValue === undefined) return undefined;
  const value = literal(operand);
  if (value === undefined) return undefined;
  const operands = op === 'in' || op === 'array-contains-any' ? value : [value];
  if (!isArray(operands) || operands.some(isIncomparable)) return undefined;
  return { kind: 'field', field: parseFieldPath(field.fieldReferenceValue), op, value };
}

/** Null and NaN have rules of their own in queries. */
const isIncomparable = (value: Value): boolean => value === null || Number.isNaN(value);

/** A constant, also as client libraries write an array of constants. */
function literal(wire: WireExpression | undefined): Value | undefined {
  if (wire?.functionValue?.name !== 'array') return constantOf(wire);
  const elements = (wire.functionValue.args ?? []).map(constantOf);
  return elements.every((element) => element !== undefined) ? elements : undefined;
}
