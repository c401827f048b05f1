import { invalidArgument } from '../../errors.ts';
import { formatFieldPath } from '../../model/field-path.ts';
import { disjunctiveForm, MAX_DISJUNCTIONS } from '../normal-form.ts';
import type { Conjunction } from '../normal-form.ts';
import { fieldFiltersOf, isInequality, isNameField } from '../query.ts';
import type { FieldFilter, Filter, Query } from '../query.ts';

// https://firebase.google.com/docs/firestore/query-data/queries#query_limitations
// https://firebase.google.com/docs/firestore/query-data/multiple-range-fields
// and the comments on `FieldFilter.Operator` in google/firestore/v1/query.proto. The messages are production's.

const MAX_INEQUALITY_FIELDS = 10;
const MAX_COMPONENTS = 100;

/** Throws INVALID_ARGUMENT for filters and orders that production never combines, with any deployed indexes. */
export function assertCombination(query: Query): void {
  const filters = fieldFiltersOf(query.filter);
  assertNegations(query.filter, filters);
  assertOrders(query);
  assertNameEquality(filters);
  const alternatives = assertDisjunctions(query.filter);
  assertInequalityFields(filters);
  assertComponents(query, alternatives);
}

/** A query has at most one negation, and no `not-in` beside another disjunction. */
function assertNegations(filter: Filter | undefined, filters: readonly FieldFilter[]): void {
  const negations = filters.filter(({ op }) => op === '!=' || op === 'not-in');
  if (negations.length === 0) return;
  const isDisjunction = filters.some(({ op }) => op === 'in' || op === 'array-contains-any') || hasOr(filter);
  if (isDisjunction && negations.some(({ op }) => op === 'not-in')) {
    throw invalidArgument(
      "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.",
    );
  }
  if (negations.length > 1) {
    throw invalidArgument(
      "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query.",
    );
  }
}

/** An OR of one filter is that filter. */
const hasOr = (filter: Filter | undefined): boolean =>
  filter !== undefined &&
  filter.kind !== 'field' &&
  ((filter.kind === 'or' && filter.filters.length > 1) || filter.filters.some(hasOr));

/** Names are unique, so that an order by a field after the name has no effect. */
function assertOrders({ orders, explicitOrders }: Query): void {
  const paths = explicitOrders.length > 1 ? explicitOrders.map(({ field }) => formatFieldPath(field)) : [];
  const duplicate = paths.find((path, index) => paths.indexOf(path) < index);
  if (duplicate !== undefined) {
    throw invalidArgument(`order by clause cannot contain duplicate fields ${duplicate}`);
  }
  const last = orders.at(-1);
  if (last && !isNameField(last.field)) {
    throw invalidArgument('order by clause cannot contain more fields after the key');
  }
}

function assertNameEquality(filters: readonly FieldFilter[]): void {
  const names = filters.filter(({ field }) => isNameField(field));
  if (names.length === 0) return;
  const others = filters.filter((filter) => isInequality(filter) && !isNameField(filter.field));
  const isEqual = names.some(({ op }) => op === '==' || op === 'in');
  if (isEqual && others.length > 0 && !names.some(isInequality)) {
    throw invalidArgument(
      'Equality on key is not allowed if there are other inequality fields and key does not appear in inequalities.',
    );
  }
}

function assertDisjunctions(filter: Filter | undefined): readonly Conjunction[] {
  const alternatives = disjunctiveForm(filter);
  if (!alternatives) {
    throw invalidArgument(
      `Too many disjunctions after normalization. A query may have at most ${MAX_DISJUNCTIONS}.`,
    );
  }
  const tooMany = alternatives.some(
    (conjunction) => conjunction.filter(({ op }) => op === 'array-contains').length > 1,
  );
  if (tooMany) throw invalidArgument("A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.");
  return alternatives;
}

function assertInequalityFields(filters: readonly FieldFilter[]): void {
  if (filters.length <= MAX_INEQUALITY_FIELDS) return;
  const fields = [...new Set(filters.filter(isInequality).map(({ field }) => formatFieldPath(field)))].sort();
  if (fields.length <= MAX_INEQUALITY_FIELDS) return;
  throw invalidArgument(
    `The query contains ${fields.length} distinct inequality fields: [${fields.join(', ')}]. ` +
      `A query may not have more than ${MAX_INEQUALITY_FIELDS} distinct inequality fields.`,
  );
}

/** Filters are counted in each disjunction. */
function assertComponents({ scope, explicitOrders }: Query, alternatives: readonly Conjunction[]): void {
  const filters = alternatives.reduce((sum, conjunction) => sum + conjunction.length, 0);
  const ancestors = scope.parent === '' ? 0 : 1;
  if (filters + explicitOrders.length + ancestors <= MAX_COMPONENTS) return;
  throw invalidArgument(
    `The query may not have more than ${MAX_COMPONENTS} filters + sort orders + ancestor total. Currently there are ` +
      `${filters} filters, ${explicitOrders.length} sort orders, and ${ancestors === 0 ? 'no' : 'one'} ancestor filter.`,
  );
}
