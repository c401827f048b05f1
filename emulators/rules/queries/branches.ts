import type { FieldPath, Filter } from './query.ts';

type FieldFilter = Extract<Filter, { kind: 'field' }>;

/** Filters that hold together for some of the documents. */
export type Conjunction = readonly FieldFilter[];

/** Production allows 30 disjunctions in a query. Beyond that, one branch represents all. */
const MAX_BRANCHES = 30;

/**
 * The query as alternatives, each without `or`, `in` and `array-contains-any`: every document that it returns satisfies
 * the filters of at least one of them. If there are more alternatives than production allows, their filters are
 * dropped, which can only make the rules refuse more queries.
 */
export function branchesOf(filter: Filter | undefined): Conjunction[] {
  const branches = filter === undefined ? [[]] : expand(filter);
  // A query that can find nothing is still evaluated, without any facts about its documents.
  return branches.length === 0 ? [[]] : branches;
}

function expand(filter: Filter): Conjunction[] {
  switch (filter.kind) {
    case 'field':
      return bounded(expandField(filter));
    case 'or':
      return bounded(filter.filters.flatMap(expand));
    case 'and':
      return filter.filters.map(expand).reduce<Conjunction[]>(combine, [[]]);
  }
}

function combine(left: readonly Conjunction[], right: readonly Conjunction[]): Conjunction[] {
  if (left.length * right.length > MAX_BRANCHES) return [...left];
  return left.flatMap((a) => right.map((b) => [...a, ...b]));
}

function expandField(filter: FieldFilter): Conjunction[] {
  const { field, operator, value } = filter;
  if (value.type !== 'list') return [[filter]];
  switch (operator) {
    case 'in':
      return value.items.map((item) => [fieldFilter(field, '==', item)]);
    case 'array-contains-any':
      return value.items.map((item) => [fieldFilter(field, 'array-contains', item)]);
    case 'not-in':
      return [value.items.map((item) => fieldFilter(field, '!=', item))];
    default:
      return [[filter]];
  }
}

const fieldFilter = (
  field: FieldPath,
  operator: FieldFilter['operator'],
  value: FieldFilter['value'],
): FieldFilter => ({ kind: 'field', field, operator, value });

/** Too many alternatives are replaced by one without filters. */
function bounded(branches: Conjunction[]): Conjunction[] {
  return branches.length > MAX_BRANCHES ? [[]] : branches;
}
