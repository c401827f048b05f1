import { invalidArgument } from '../errors.ts';
import { parseFieldPath } from '../model/field-path.ts';
import { isArray, Reference } from '../model/value.ts';
import type { Value } from '../model/value.ts';
import type { WireFieldFilter, WireFilter } from '../wire/messages.ts';
import { decodeValue } from '../wire/value-codec.ts';
import { isNameField } from './query.ts';
import type { Comparison, FieldFilter, Filter } from './query.ts';

const OPERATORS: Readonly<Record<string, Comparison>> = {
  LESS_THAN: '<',
  LESS_THAN_OR_EQUAL: '<=',
  GREATER_THAN: '>',
  GREATER_THAN_OR_EQUAL: '>=',
  EQUAL: '==',
  NOT_EQUAL: '!=',
  ARRAY_CONTAINS: 'array-contains',
  IN: 'in',
  ARRAY_CONTAINS_ANY: 'array-contains-any',
  NOT_IN: 'not-in',
};

const UNARY: Readonly<Record<string, { op: Comparison; value: Value }>> = {
  IS_NULL: { op: '==', value: null },
  IS_NAN: { op: '==', value: NaN },
  IS_NOT_NULL: { op: '!=', value: null },
  IS_NOT_NAN: { op: '!=', value: NaN },
};

/** https://firebase.google.com/docs/firestore/query-data/queries#limits_on_or_queries */
const MAX_ELEMENTS: Partial<Record<Comparison, number>> = { in: 30, 'array-contains-any': 30, 'not-in': 10 };

/** Reads a Filter message. Throws INVALID_ARGUMENT. */
export function parseFilter(wire: WireFilter): Filter {
  if (wire.compositeFilter) {
    const { op, filters = [] } = wire.compositeFilter;
    if (op !== 'AND' && op !== 'OR')
      throw invalidArgument('A composite filter needs the operator AND or OR.');
    if (filters.length === 0) throw invalidArgument('A composite filter needs at least one filter.');
    return { kind: op === 'AND' ? 'and' : 'or', filters: filters.map(parseFilter) };
  }
  if (wire.unaryFilter) {
    const unary = UNARY[wire.unaryFilter.op ?? ''];
    if (!unary) throw invalidArgument('A unary filter needs an operator.');
    return { kind: 'field', field: parseFieldPath(wire.unaryFilter.field?.fieldPath ?? ''), ...unary };
  }
  if (wire.fieldFilter) return parseFieldFilter(wire.fieldFilter);
  throw invalidArgument('A filter must be a composite, field or unary filter.');
}

function parseFieldFilter(wire: WireFieldFilter): FieldFilter {
  const op = OPERATORS[wire.op ?? ''];
  if (!op) throw invalidArgument('A field filter needs an operator.');
  const field = parseFieldPath(wire.field?.fieldPath ?? '');
  const value = decodeValue(wire.value ?? {});
  const limit = MAX_ELEMENTS[op];
  if (limit !== undefined) assertElements(op, value, limit);
  if (isNameField(field)) assertReferences(op, value);
  return { kind: 'field', field, op, value };
}

function assertElements(op: Comparison, value: Value, limit: number): void {
  const name = op.toUpperCase().replaceAll('-', '_');
  if (!isArray(value) || value.length === 0)
    throw invalidArgument(`'${name}' requires an non-empty ArrayValue.`);
  if (value.length > limit) {
    throw invalidArgument(`'${name}' supports up to ${limit} comparison values.`);
  }
}

function assertReferences(op: Comparison, value: Value): void {
  const operands = (op === 'in' || op === 'not-in') && isArray(value) ? value : [value];
  if (!operands.every((operand) => operand instanceof Reference)) {
    throw invalidArgument('__key__ filter value must be a Key');
  }
}
