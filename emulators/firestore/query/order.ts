import { comparePaths, compareValues } from '../model/compare.ts';
import { getField } from '../model/field-path.ts';
import type { Value } from '../model/value.ts';
import type { StoredDocument } from '../storage/document.ts';
import { fieldOf } from './filter.ts';
import { isNameField } from './query.ts';
import type { Cursor, Order } from './query.ts';

/** Compares two documents that both have every field of the orders. */
export function compareDocuments(
  orders: readonly Order[],
  left: StoredDocument,
  right: StoredDocument,
): number {
  for (const { field, descending } of orders) {
    const order = isNameField(field)
      ? comparePaths(left.path, right.path)
      : compareOptional(getField(left.fields, field), getField(right.fields, field));
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

function compareOptional(left: Value | undefined, right: Value | undefined): number {
  if (left === undefined || right === undefined)
    return Number(left !== undefined) - Number(right !== undefined);
  return compareValues(left, right);
}

/** A document without a field that the query orders by is not in its result. */
export const hasOrderedFields = (orders: readonly Order[], document: StoredDocument): boolean =>
  orders.every(({ field }) => isNameField(field) || getField(document.fields, field) !== undefined);

/** The position of the document relative to the cursor's values: negative before, zero if equal in all of them. */
function compareToCursor(
  database: string,
  orders: readonly Order[],
  cursor: Cursor,
  document: StoredDocument,
): number {
  for (const [index, value] of cursor.values.entries()) {
    const order = orders[index];
    const own = order && fieldOf(database, document, order.field);
    if (own === undefined) continue;
    const comparison = compareValues(own, value);
    if (comparison !== 0) return order?.descending ? -comparison : comparison;
  }
  return 0;
}

export function isAfterStart(
  database: string,
  orders: readonly Order[],
  cursor: Cursor,
  document: StoredDocument,
): boolean {
  const position = compareToCursor(database, orders, cursor, document);
  return cursor.before ? position >= 0 : position > 0;
}

export function isBeforeEnd(
  database: string,
  orders: readonly Order[],
  cursor: Cursor,
  document: StoredDocument,
): boolean {
  const position = compareToCursor(database, orders, cursor, document);
  return cursor.before ? position < 0 : position <= 0;
}
