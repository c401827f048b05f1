import { invalidArgument } from '../../errors.ts';
import { parseFieldPath } from '../../model/field-path.ts';
import { assertInDatabase, parseDocumentName } from '../../model/paths.ts';
import { isArray, Reference } from '../../model/value.ts';
import type { Value } from '../../model/value.ts';
import type { WireFieldFilter, WireFilter } from '../../wire/messages.ts';
import { decodeValue } from '../../wire/value-codec.ts';
import { isNameField } from '../query.ts';
import type { Comparison, FieldFilter, Filter } from '../query.ts';

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

const UNARY: Readonly<Record<string, Pick<FieldFilter, 'op' | 'value' | 'unary'>>> = {
  IS_NULL: { op: '==', value: null, unary: true },
  IS_NAN: { op: '==', value: NaN, unary: true },
  IS_NOT_NULL: { op: '!=', value: null, unary: true },
  IS_NOT_NAN: { op: '!=', value: NaN, unary: true },
};

/** https://firebase.google.com/docs/firestore/query-data/queries#limits_on_or_queries */
const MAX_ELEMENTS: Partial<Record<Comparison, number>> = { in: 30, 'array-contains-any': 30, 'not-in': 10 };

/** Reads a Filter message of a query on `database`. Throws INVALID_ARGUMENT. */
export function parseFilter(wire: WireFilter, database: string): Filter {
  if (wire.compositeFilter) {
    const { op, filters = [] } = wire.compositeFilter;
    if (op !== 'AND' && op !== 'OR') throw invalidArgument('Unsupported CompositeFilter operator.');
    // An empty AND matches every document.
    if (op === 'OR' && filters.length === 0) {
      throw invalidArgument('Composite filter must have at least one sub-filter.');
    }
    return {
      kind: op === 'AND' ? 'and' : 'or',
      filters: filters.map((filter) => parseFilter(filter, database)),
    };
  }
  if (wire.unaryFilter) return parseUnaryFilter(wire.unaryFilter);
  if (wire.fieldFilter) return parseFieldFilter(wire.fieldFilter, database);
  throw invalidArgument('A filter must be a composite, field or unary filter.');
}

function parseUnaryFilter({ op = '', field }: NonNullable<WireFilter['unaryFilter']>): FieldFilter {
  const unary = UNARY[op];
  if (!unary) throw invalidArgument('Unknown UnaryFilter operator.');
  return { kind: 'field', field: parseFieldPath(field?.fieldPath ?? ''), ...unary };
}

function parseFieldFilter(wire: WireFieldFilter, database: string): FieldFilter {
  const op = OPERATORS[wire.op ?? ''];
  if (!op) throw invalidArgument('Unknown FieldFilter operator.');
  const field = parseFieldPath(wire.field?.fieldPath ?? '');
  const value = decodeValue(wire.value ?? {});
  const limit = MAX_ELEMENTS[op];
  if (limit !== undefined) assertElements(op, value, limit);
  if (isNameField(field)) assertReferences(op, value, database);
  return { kind: 'field', field, op, value };
}

function assertElements(op: Comparison, value: Value, limit: number): void {
  const name = op.toUpperCase().replaceAll('-', '_');
  if (!isArray(value)) throw invalidArgument(`'${name}' requires an ArrayValue.`);
  if (value.length === 0) throw invalidArgument(`'${name}' requires an non-empty ArrayValue.`);
  if (value.length > limit) {
    throw invalidArgument(`'${name}' supports up to ${limit} comparison values.`);
  }
}

/** A document's name is compared only with names of documents of the same database. */
function assertReferences(op: Comparison, value: Value, database: string): void {
  if (op === 'array-contains' || op === 'array-contains-any') {
    throw invalidArgument('the name __key__ is reserved');
  }
  const operands = (op === 'in' || op === 'not-in') && isArray(value) ? value : [value];
  for (const operand of operands) {
    if (!(operand instanceof Reference)) throw invalidArgument('__key__ filter value must be a Key');
    assertInDatabase(parseDocumentName(operand.name), database);
  }
}
