import type { FieldPath } from '../model/field-path.ts';
import type { Value } from '../model/value.ts';
import type { Scope } from '../storage/scope.ts';
import type { Nearest } from './nearest.ts';

export type Comparison =
  '==' | '!=' | '<' | '<=' | '>' | '>=' | 'array-contains' | 'array-contains-any' | 'in' | 'not-in';

export interface FieldFilter {
  readonly kind: 'field';
  readonly field: FieldPath;
  readonly op: Comparison;
  readonly value: Value;
  /** Set for a test for null or NaN (`UnaryFilter`). A field filter with such an operand matches nothing. */
  readonly unary?: boolean;
}

export interface CompositeFilter {
  readonly kind: 'and' | 'or';
  readonly filters: readonly Filter[];
}

export type Filter = FieldFilter | CompositeFilter;

export interface Order {
  readonly field: FieldPath;
  readonly descending: boolean;
}

/** A position in the order: values for the first few orders, and on which side of equal documents it lies. */
export interface Cursor {
  readonly values: readonly Value[];
  readonly before: boolean;
}

/** A structured query in normal form: the orders that production implies are spelled out, down to `__name__`. */
export interface Query {
  readonly scope: Scope;
  readonly filter: Filter | undefined;
  readonly orders: readonly Order[];
  /** The orders that the client wrote: the first of `orders`. */
  readonly explicitOrders: readonly Order[];
  readonly start: Cursor | undefined;
  readonly end: Cursor | undefined;
  readonly offset: number;
  readonly limit: number | undefined;
  /** Undefined unless the query finds the nearest documents to a vector. */
  readonly nearest?: Nearest | undefined;
  /** Undefined returns every field. */
  readonly projection: readonly FieldPath[] | undefined;
}

/** All field filters of the filter, at any depth. */
export function fieldFiltersOf(filter: Filter | undefined): readonly FieldFilter[] {
  const found: FieldFilter[] = [];
  if (filter) collectFieldFilters(filter, found);
  return found;
}

function collectFieldFilters(filter: Filter, found: FieldFilter[]): void {
  if (filter.kind === 'field') found.push(filter);
  else for (const part of filter.filters) collectFieldFilters(part, found);
}

const INEQUALITIES: ReadonlySet<Comparison> = new Set(['<', '<=', '>', '>=', '!=', 'not-in']);
export const isInequality = ({ op }: FieldFilter): boolean => INEQUALITIES.has(op);

export const NAME_FIELD: FieldPath = ['__name__'];
export const isNameField = (field: FieldPath): boolean => field.length === 1 && field[0] === '__name__';
