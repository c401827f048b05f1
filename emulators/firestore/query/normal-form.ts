import { isArray } from '../model/value.ts';
import type { Value } from '../model/value.ts';
import type { FieldFilter, Filter } from './query.ts';

/** Filters that a document has to match together. */
export type Conjunction = readonly FieldFilter[];

/** https://firebase.google.com/docs/firestore/query-data/queries#limits_on_or_queries */
export const MAX_DISJUNCTIONS = 30;

/**
 * The filter as alternatives. A document matches if it matches one of them. `in` and `array-contains-any` give one
 * alternative for each element. Undefined if there are more than the limit.
 */
export function disjunctiveForm(filter: Filter | undefined): readonly Conjunction[] | undefined {
  if (!filter) return [[]];
  switch (filter.kind) {
    case 'field':
      return alternativesOf(filter);
    case 'or':
      return join(filter.filters.map(disjunctiveForm));
    case 'and': {
      let product: readonly Conjunction[] | undefined = [[]];
      for (const part of filter.filters) product = product && multiply(product, disjunctiveForm(part));
      return product;
    }
  }
}

function alternativesOf(filter: FieldFilter): readonly Conjunction[] | undefined {
  const single = SINGLE[filter.op];
  if (single === undefined || !isArray(filter.value)) return [[filter]];
  return within(filter.value.map((value: Value) => [{ ...filter, op: single, value }]));
}

const SINGLE: Partial<Record<FieldFilter['op'], FieldFilter['op']>> = {
  in: '==',
  'array-contains-any': 'array-contains',
};

function multiply(
  left: readonly Conjunction[],
  right: readonly Conjunction[] | undefined,
): readonly Conjunction[] | undefined {
  return right && within(left.flatMap((first) => right.map((second) => [...first, ...second])));
}

function join(parts: readonly (readonly Conjunction[] | undefined)[]): readonly Conjunction[] | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length < parts.length ? undefined : within(known.flat());
}

const within = (alternatives: readonly Conjunction[]): readonly Conjunction[] | undefined =>
  alternatives.length > MAX_DISJUNCTIONS ? undefined : alternatives;
