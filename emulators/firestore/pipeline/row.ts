import { StatusError } from '../errors.ts';
import { getField, parseFieldPath, withField, withoutField } from '../model/field-path.ts';
import type { FieldPath } from '../model/field-path.ts';
import { documentName } from '../model/paths.ts';
import { Timestamp } from '../model/timestamp.ts';
import { Reference } from '../model/value.ts';
import type { MapValue, Value } from '../model/value.ts';
import type { StoredDocument } from '../storage/document.ts';

/** The facts that all rows of a request share. */
export interface RowContext {
  /** `projects/P/databases/D` */
  readonly database: string;
  /** The time of the state that is read, in microseconds. */
  readonly time: number;
}

/** A document on its way through the stages, or a result that a stage made. */
export interface Row {
  readonly context: RowContext;
  readonly fields: MapValue;
  /** Undefined for a row that no longer belongs to a document. */
  readonly path?: string | undefined;
  /** Microseconds. */
  readonly createTime?: number | undefined;
  readonly updateTime?: number | undefined;
}

/** The result of an expression. Undefined is the absent value, as of a field that a document does not have. */
export type Result = Value | undefined;

/** An expression of a pipeline. Throws INVALID_ARGUMENT if it has no result for the row. */
export type Expression = (row: Row) => Result;

export const rowOf = (
  context: RowContext,
  { path, fields, createTime, updateTime }: StoredDocument,
): Row => ({ context, fields, path, createTime, updateTime });

const NAME = '__name__';
const CREATE_TIME = '__create_time__';
const UPDATE_TIME = '__update_time__';

/** The value of a field, also of the name and the times of a document. */
export function valueAt(row: Row, field: FieldPath): Result {
  const [only] = field;
  if (field.length > 1 || only === undefined) return getField(row.fields, field);
  if (only === NAME) {
    return row.path === undefined ? undefined : new Reference(documentName(row.context.database, row.path));
  }
  if (only === CREATE_TIME) return timestampOf(row.createTime);
  return only === UPDATE_TIME ? timestampOf(row.updateTime) : row.fields.get(only);
}

const timestampOf = (micros: number | undefined): Timestamp | undefined =>
  micros === undefined ? undefined : Timestamp.fromMicros(micros);

/**
 * The row with the value at the alias, which is a field path or else a plain name such as `full-name`. An absent value
 * removes the field.
 */
export function withAlias(row: Row, alias: string, value: Result): Row {
  if (alias === NAME) return { ...row, path: pathOf(row.context, value) };
  if (alias === CREATE_TIME) return { ...row, createTime: microsOf(value) };
  if (alias === UPDATE_TIME) return { ...row, updateTime: microsOf(value) };
  const field = aliasPath(alias);
  if (value !== undefined) return withValueAt(row, field, value);
  return { ...row, fields: withoutField(row.fields, field) };
}

function aliasPath(alias: string): FieldPath {
  try {
    return parseFieldPath(alias);
  } catch (error) {
    if (error instanceof StatusError) return [alias];
    throw error;
  }
}

/** The row with the value at a field path. */
export const withValueAt = (row: Row, field: FieldPath, value: Value): Row => ({
  ...row,
  fields: withField(row.fields, field, value),
});

function pathOf({ database }: RowContext, value: Result): string | undefined {
  const root = documentName(database, '');
  return value instanceof Reference && value.name.startsWith(root)
    ? value.name.slice(root.length)
    : undefined;
}

const microsOf = (value: Result): number | undefined =>
  value instanceof Timestamp ? value.toMicros() : undefined;
