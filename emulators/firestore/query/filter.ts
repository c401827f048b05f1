import { compareValues, typeOrder } from '../model/compare.ts';
import { getField } from '../model/field-path.ts';
import type { FieldPath } from '../model/field-path.ts';
import { documentName } from '../model/paths.ts';
import { isArray, Reference } from '../model/value.ts';
import type { Value } from '../model/value.ts';
import type { StoredDocument } from '../storage/document.ts';
import { isNameField } from './query.ts';
import type { FieldFilter, Filter } from './query.ts';

/** The value that a query sees in a field; `__name__` is a reference to the document itself. */
export const fieldOf = (database: string, document: StoredDocument, field: FieldPath): Value | undefined =>
  isNameField(field)
    ? new Reference(documentName(database, document.path))
    : getField(document.fields, field);

export function matchesFilter(database: string, filter: Filter, document: StoredDocument): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((part) => matchesFilter(database, part, document));
    case 'or':
      return filter.filters.some((part) => matchesFilter(database, part, document));
    case 'field': {
      const value = fieldOf(database, document, filter.field);
      return value !== undefined && matchesField(filter, value);
    }
  }
}

function matchesField({ op, value: operand, unary }: FieldFilter, value: Value): boolean {
  if (isIncomparable(operand) && unary !== true) return false;
  switch (op) {
    case '==':
      return equal(value, operand);
    case '!=':
      return value !== null && !equal(value, operand);
    case 'in':
      return !isIncomparable(value) && contains(operand, value);
    case 'not-in':
      return value !== null && !contains(operand, null) && !contains(operand, value);
    case 'array-contains':
      return contains(value, operand);
    case 'array-contains-any':
      return isArray(operand) && operand.some((wanted) => !isIncomparable(wanted) && contains(value, wanted));
    default:
      return typeOrder(value) === typeOrder(operand) && inRange(op, compareValues(value, operand));
  }
}

function inRange(op: '<' | '<=' | '>' | '>=', order: number): boolean {
  if (op === '<') return order < 0;
  if (op === '<=') return order <= 0;
  return op === '>' ? order > 0 : order >= 0;
}

/** Null and NaN are found by unary filters only, never by comparing. */
const isIncomparable = (value: Value): boolean => value === null || Number.isNaN(value);

const equal = (left: Value, right: Value): boolean => compareValues(left, right) === 0;

const contains = (array: Value, wanted: Value): boolean =>
  isArray(array) && array.some((element) => equal(element, wanted));
