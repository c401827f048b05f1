import { ANY_ID, ANY_PREFIX, captureMany, type PathSegment } from '../evaluator/match.ts';
import {
  map,
  NULL,
  string,
  unknown,
  type Bound,
  type MapValue,
  type PathValue,
  type Value,
} from '../value.ts';
import type { Conjunction } from './branches.ts';
import type { FieldPath, Query } from './query.ts';

/** A document that represents every document that one branch of a query could return. */
export interface PotentialDocument {
  readonly path: readonly PathSegment[];
  /** `resource`, with the facts that follow from the filters. */
  readonly resource: MapValue;
}

type FieldFilter = Conjunction[number];

/** Describes the documents that a branch of a query could return. */
export function potentialDocument(query: Query, branch: Conjunction): PotentialDocument {
  const path = pathOf(query, branch);
  const id = path.at(-1);
  const resource = map({
    data: dataOf(query, branch),
    id: typeof id === 'string' ? string(id) : unknown({ types: ['string'] }),
    __name__: captureMany(path),
  });
  return { path, resource };
}

function pathOf(
  { parent, collectionId, allDescendants }: Query,
  branch: Conjunction,
): readonly PathSegment[] {
  const name = branch.find(({ field, operator }) => isName(field) && operator === '==')?.value;
  if (!allDescendants && name?.type === 'path' && isInCollection(name, parent, collectionId))
    return name.segments;
  const collection = collectionId === undefined ? [] : [collectionId];
  const prefix: PathSegment[] = allDescendants || collectionId === undefined ? [ANY_PREFIX] : [];
  const id: PathSegment = ANY_ID;
  return [...parent, ...prefix, ...collection, id];
}

function isInCollection(
  { segments }: PathValue,
  parent: readonly string[],
  collectionId: string | undefined,
): boolean {
  const collection = [...parent, collectionId];
  return (
    segments.length === collection.length + 1 && collection.every((name, index) => name === segments[index])
  );
}

const isName = (field: FieldPath): boolean => field.length === 1 && field[0] === '__name__';

function dataOf(query: Query, branch: Conjunction): Value {
  const filtered = groupByField(branch.filter(({ field }) => !isName(field)));
  const ordered = (query.orderBy ?? []).map(({ field }) => field).filter((field) => !isName(field));
  const fields = new Map(
    ordered.map((field): [string, KnownField] => [JSON.stringify(field), { field, value: unknown() }]),
  );
  for (const filters of filtered) {
    const [{ field }] = filters;
    fields.set(JSON.stringify(field), { field, value: valueOf(filters) });
  }
  return nested([...fields.values()]);
}

interface KnownField {
  readonly field: FieldPath;
  readonly value: Value;
}

type NonEmpty<T> = readonly [T, ...T[]];

function groupByField(filters: readonly FieldFilter[]): NonEmpty<FieldFilter>[] {
  const groups = Map.groupBy(filters, ({ field }) => JSON.stringify(field));
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others]],
  );
}

/** The facts about one field that follow from its filters. */
function valueOf(filters: readonly FieldFilter[]): Value {
  const exact = filters.find(({ operator, value }) => operator === '==' && isExact(value));
  if (exact !== undefined) return exact.value;
  const bounds = filters.flatMap(boundsOf);
  const contains = filters.filter(({ operator }) => operator === 'array-contains').map(({ value }) => value);
  return unknown({ types: typesOf(filters), bounds, contains: contains.filter(isExact) });
}

/**
 * Whether a field that equals the value in a query has exactly this value in rules. Not so for numbers: a filter on 1
 * also finds 1.0, which is another type there, and the same holds inside lists and maps.
 */
function isExact(value: Value): boolean {
  switch (value.type) {
    case 'int':
    case 'float':
      return false;
    case 'list':
      return value.items.every(isExact);
    case 'map':
      return [...value.entries.values()].every(isExact);
    default:
      return true;
  }
}

function boundsOf({ operator, value }: FieldFilter): Bound[] {
  switch (operator) {
    case '==':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return isComparable(value) ? [{ op: operator, value }] : [];
    case '!=':
      // Such a filter also leaves out the documents in which the field is null.
      return [
        { op: '!=', value: NULL },
        ...(isExact(value) || isComparable(value) ? [{ op: operator, value }] : []),
      ];
    case 'in':
    case 'not-in':
    case 'array-contains':
    case 'array-contains-any':
      return [];
  }
}

const isComparable = ({ type }: Value): boolean =>
  type === 'int' || type === 'float' || type === 'string' || type === 'timestamp' || type === 'bytes';

/** A filter that compares finds only values of its own type. */
function typesOf(filters: readonly FieldFilter[]): readonly string[] {
  if (filters.some(({ operator }) => operator === 'array-contains')) return ['list'];
  const comparing = filters.find(({ operator, value }) => operator !== '!=' && isComparable(value));
  if (comparing === undefined) return [];
  const { type } = comparing.value;
  return type === 'int' || type === 'float' ? ['int', 'float'] : [type];
}

/** The known fields as a map of which the other entries are open. */
function nested(fields: readonly KnownField[]): Value {
  const groups = Map.groupBy(fields, ({ field }) => field[0] ?? '');
  const known = [...groups].map(([name, members]): [string, Value] => {
    const leaf = members.find(({ field }) => field.length === 1);
    if (leaf !== undefined) return [name, leaf.value];
    return [name, nested(members.map(({ field, value }) => ({ field: field.slice(1), value })))];
  });
  return { type: 'partialMap', known: new Map(known) };
}
