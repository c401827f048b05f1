import { formatFieldPath } from '../../model/field-path.ts';
import type { Conjunction } from '../normal-form.ts';
import { isNameField } from '../query.ts';
import type { Query } from '../query.ts';
import type { IndexField } from './catalog.ts';

export const NAME = '__name__';

/** The index that one alternative of a query needs. */
export interface IndexNeed {
  /** Fields that are compared for equality: in any order, before all others. */
  readonly equalities: ReadonlySet<string>;
  /** Fields with array-contains, likewise. */
  readonly arrays: ReadonlySet<string>;
  /** Then the orders in sequence, the last of which is by name. */
  readonly orders: readonly IndexField[];
  /** Fields that are summed or averaged: in any order and direction, after the others. */
  readonly aggregated: ReadonlySet<string>;
  /** All fields but the name. */
  readonly paths: ReadonlySet<string>;
}

/** Undefined for an alternative that names its document and needs no index. */
export function needOf(
  { orders }: Query,
  conjunction: Conjunction,
  aggregated: readonly string[],
): IndexNeed | undefined {
  if (conjunction.some(({ field, op }) => op === '==' && isNameField(field))) return undefined;
  const having = (op: string): Set<string> =>
    new Set(conjunction.filter((filter) => filter.op === op).map(({ field }) => formatFieldPath(field)));
  const equalities = having('==');
  const arrays = having('array-contains');
  const sequence = orders
    .map(({ field, descending }): IndexField => {
      return { path: formatFieldPath(field), mode: descending ? 'DESCENDING' : 'ASCENDING' };
    })
    // Documents that are equal in a field need no order by it.
    .filter(({ path }) => !equalities.has(path));
  const end = sequence.findIndex(({ path }) => path === NAME);
  const needed = sequence.slice(0, end + 1);
  const before = new Set([...equalities, ...needed.map(({ path }) => path)]);
  const more = new Set(aggregated.filter((path) => !before.has(path)));
  const paths = new Set([...before, ...arrays, ...more]);
  paths.delete(NAME);
  return { equalities, arrays, orders: needed, aggregated: more, paths };
}

/**
 * Whether the indexes serve the need. Several indexes may be merged if they begin with different equalities and
 * continue with the same fields:
 * https://firebase.google.com/docs/firestore/query-data/index-overview#taking_advantage_of_index_merging
 */
export function isServed(need: IndexNeed, indexes: readonly (readonly IndexField[])[]): boolean {
  if (isPlainScan(need)) return true;
  const prefixes = indexes.map((index) => prefixFor(need, index)).filter((prefix) => prefix !== undefined);
  const covered = new Set(prefixes.flat());
  return prefixes.length > 0 && [...need.equalities, ...need.arrays].every((path) => covered.has(path));
}

/** Every collection and collection group can be read by name, in ascending order. */
const isPlainScan = ({ paths, orders }: IndexNeed): boolean =>
  paths.size === 0 && orders[0]?.mode === 'ASCENDING';

/** The equality and array fields with which the index begins, if its other fields are those that the query needs. */
function prefixFor(need: IndexNeed, index: readonly IndexField[]): string[] | undefined {
  const rest = [...withName(index)];
  const prefix: string[] = [];
  for (let next = rest[0]; next && isPrefix(need, next); next = rest[0]) {
    prefix.push(next.path);
    rest.shift();
  }
  const sequence = need.orders.slice(0, -1);
  const ordered = rest.splice(0, sequence.length);
  if (!sequence.every((field, at) => same(field, ordered[at]))) return undefined;
  if (need.aggregated.size === 0) return same(need.orders.at(-1), rest[0]) ? prefix : undefined;
  const others = rest.filter(({ path }) => path !== NAME);
  const sums = others.every(({ path, mode }) => need.aggregated.has(path) && mode !== 'CONTAINS');
  return sums && others.length === need.aggregated.size ? prefix : undefined;
}

const isPrefix = ({ equalities, arrays }: IndexNeed, { path, mode }: IndexField): boolean =>
  mode === 'CONTAINS' ? arrays.has(path) : equalities.has(path);

const same = (left: IndexField | undefined, right: IndexField | undefined): boolean =>
  left?.path === right?.path && left?.mode === right?.mode;

/** An index ends with the name, by default in the direction of its last field. */
function withName(index: readonly IndexField[]): readonly IndexField[] {
  const last = index.at(-1);
  return last?.path === NAME ? index : [...index, { path: NAME, mode: nameMode(last) }];
}

export const nameMode = (last: IndexField | undefined): IndexField['mode'] =>
  last?.mode === 'DESCENDING' ? 'DESCENDING' : 'ASCENDING';

/** The fields of one index that would serve the need. */
export function suggestedFields({
  equalities,
  arrays,
  orders,
  aggregated,
}: IndexNeed): readonly IndexField[] {
  const contains = [...arrays].map((path): IndexField => ({ path, mode: 'CONTAINS' }));
  const sums = [...aggregated].sort().map((path): IndexField => ({ path, mode: 'ASCENDING' }));
  const sequence = orders.slice(0, -1);
  const direction = nameMode(orders.at(-1));
  const equal = [...equalities].sort().map((path): IndexField => {
    // The name follows the last field, so that an index of equalities alone takes the name's direction.
    return { path, mode: sequence.length === 0 && arrays.size === 0 ? direction : 'ASCENDING' };
  });
  const fields = [...equal, ...contains, ...sequence, ...sums];
  const differs = aggregated.size === 0 && nameMode(fields.at(-1)) !== direction;
  return fields.length === 0 || differs ? [...fields, { path: NAME, mode: direction }] : fields;
}
