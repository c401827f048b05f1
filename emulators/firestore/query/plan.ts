import { compareValues, typeOrder } from '../model/compare.ts';
import { formatFieldPath, getField } from '../model/field-path.ts';
import type { FieldPath } from '../model/field-path.ts';
import { parseResource } from '../model/paths.ts';
import { valueKey } from '../model/value-key.ts';
import { isArray, Reference } from '../model/value.ts';
import type { Value } from '../model/value.ts';
import type { Database } from '../storage/database.ts';
import type { StoredDocument } from '../storage/document.ts';
import type { IndexDefinition } from '../storage/index-set.ts';
import type { Scope } from '../storage/scope.ts';
import { fieldOf } from './filter.ts';
import { disjunctiveForm } from './normal-form.ts';
import type { Conjunction } from './normal-form.ts';
import { compareDocuments, hasOrderedFields, isAfterStart, isBeforeEnd } from './order.ts';
import { isNameField } from './query.ts';
import type { FieldFilter, Order, Query } from './query.ts';

/**
 * Candidates for a query's result in the query's order: all that match one alternative of its filter, and few others.
 */
export type Scan = Iterable<StoredDocument>;

/** Below this many documents, reading each of them costs less than another index. */
const WORTH_AN_INDEX = 256;

/**
 * Scans of indexes over the current state that together find every match of the query. Undefined if reading the whole
 * scope is as fast. Like a composite index in production, an index sorts the documents by the fields that an
 * alternative compares for equality, then in the query's order.
 */
export function planScans(database: Database, query: Query): readonly Scan[] | undefined {
  if (query.scope.collectionId === undefined || readsEverything(query)) return undefined;
  const alternatives = disjunctiveForm(query.filter);
  if (!alternatives) return undefined;
  const plans = alternatives.map((conjunction) => planScan(query, conjunction));
  const missing = plans.some((plan) => !('path' in plan) && !database.indexes.has(plan.definition.id));
  if (missing && database.sizeOf(query.scope) < WORTH_AN_INDEX) return undefined;
  return plans.map((plan) => scan(database, plan));
}

const readsEverything = ({ filter, start, end, limit }: Query): boolean =>
  !filter && !start && !end && limit === undefined;

type Plan = { readonly path: string } | IndexScan;

interface IndexScan {
  readonly definition: IndexDefinition;
  readonly partition: string;
  /**
   * The position of a document: negative before the range that the query reads of the partition, positive after it.
   */
  readonly position: (database: string, document: StoredDocument) => number;
}

function planScan(query: Query, conjunction: Conjunction): Plan {
  const name = conjunction.find(({ field, op }) => isNameField(field) && op === '==');
  if (name?.value instanceof Reference) return { path: parseResource(name.value.name).path };
  const array = conjunction.find(({ op }) => op === 'array-contains');
  const equalities = conjunction
    .filter(({ field, op }) => op === '==' && !isNameField(field))
    .map((filter) => ({ ...filter, name: formatFieldPath(filter.field) }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  const keys = [...equalities, ...(array ? [array] : [])].map(({ value }) => valueKey(value));
  return {
    definition: defineIndex(query, equalities, array?.field),
    partition: keys.join(SEPARATOR),
    position: positionIn(query, conjunction),
  };
}

const SEPARATOR = '\u0000';

function defineIndex(
  { scope, orders }: Query,
  equalities: readonly { readonly field: FieldPath; readonly name: string }[],
  array: FieldPath | undefined,
): IndexDefinition {
  const fields = [...equalities.map(({ name }) => name), '*', array ? formatFieldPath(array) : ''];
  const order = orders.map(({ field, descending }) => (descending ? '-' : '+') + formatFieldPath(field));
  return {
    id: [scopeId(scope), ...fields, ...order].join(SEPARATOR),
    scope,
    partitionsOf: (document) =>
      hasOrderedFields(orders, document) ? partitionsOf(document, equalities, array) : [],
    compare: (left, right) => compareDocuments(orders, left, right),
  };
}

const scopeId = ({ parent, collectionId, allDescendants }: Scope): string =>
  `${parent}/${allDescendants ? '**/' : ''}${collectionId ?? ''}`;

function partitionsOf(
  document: StoredDocument,
  equalities: readonly { readonly field: FieldPath }[],
  array: FieldPath | undefined,
): readonly string[] {
  const keys: string[] = [];
  for (const { field } of equalities) {
    const value = getField(document.fields, field);
    if (value === undefined) return [];
    keys.push(valueKey(value));
  }
  if (!array) return [keys.join(SEPARATOR)];
  const elements = getField(document.fields, array);
  if (!isArray(elements)) return [];
  return [...new Set(elements.map(valueKey))].map((element) => [...keys, element].join(SEPARATOR));
}

/** The range that cursors and the inequalities on the first ordered field leave of a partition. */
function positionIn(query: Query, conjunction: Conjunction): IndexScan['position'] {
  const { orders, start, end } = query;
  const [first] = orders;
  const ranges = conjunction.filter(
    ({ field, op }) => first && RANGES.has(op) && formatFieldPath(field) === formatFieldPath(first.field),
  );
  return (database, document) => {
    for (const range of first ? ranges : []) {
      const position = positionInRange(database, first, range, document);
      if (position !== 0) return position;
    }
    if (start && !isAfterStart(database, orders, start, document)) return -1;
    return end && !isBeforeEnd(database, orders, end, document) ? 1 : 0;
  };
}

const RANGES: ReadonlySet<FieldFilter['op']> = new Set(['<', '<=', '>', '>=']);

function positionInRange(
  database: string,
  order: Order | undefined,
  { field, op, value: operand }: FieldFilter,
  document: StoredDocument,
): number {
  const value = fieldOf(database, document, field);
  if (value === undefined) return 0;
  const position = typeOrder(value) - typeOrder(operand) || positionAgainst(op, value, operand);
  return order?.descending ? -position : position;
}

function positionAgainst(op: FieldFilter['op'], value: Value, operand: Value): number {
  const order = compareValues(value, operand);
  if (op === '>' || op === '>=') return order < 0 || (order === 0 && op === '>') ? -1 : 0;
  return order > 0 || (order === 0 && op === '<') ? 1 : 0;
}

function* scan(database: Database, plan: Plan): Generator<StoredDocument> {
  if ('path' in plan) {
    const document = database.get(plan.path);
    if (document) yield document;
    return;
  }
  const { definition, partition, position } = plan;
  const isBefore = (document: StoredDocument): boolean => position(database.name, document) < 0;
  for (const document of database.indexes.open(definition).seek(partition, isBefore)) {
    if (position(database.name, document) > 0) return;
    yield document;
  }
}
