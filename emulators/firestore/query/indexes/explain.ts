import { formatFieldPath } from '../../model/field-path.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { disjunctiveForm } from '../normal-form.ts';
import type { Query } from '../query.ts';
import type { IndexField } from './catalog.ts';
import { NAME, nameMode, needOf, suggestedFields } from './need.ts';

/** An index that a query reads, as query explain shows it. */
export interface UsedIndex {
  readonly query_scope: string;
  /** Such as `(a ASC, __name__ ASC)`. */
  readonly properties: string;
}

/**
 * The indexes that serve the query, together with the fields that it sums or averages: one for each alternative of its
 * filter. https://firebase.google.com/docs/firestore/query-explain
 */
export function usedIndexes(query: Query, aggregated: readonly FieldPath[]): readonly UsedIndex[] {
  const query_scope = query.scope.allDescendants ? 'Collection group' : 'Collection';
  const paths = aggregated.map(formatFieldPath);
  const properties = (disjunctiveForm(query.filter) ?? []).map((conjunction) => {
    const need = needOf(query, conjunction, paths);
    return propertiesOf(need ? suggestedFields(need) : []);
  });
  return [...new Set(properties)].map((text) => ({ query_scope, properties: text }));
}

const SHORT = { ASCENDING: 'ASC', DESCENDING: 'DESC', CONTAINS: 'CONTAINS' } as const;

function propertiesOf(fields: readonly IndexField[]): string {
  const last = fields.at(-1);
  const complete = last?.path === NAME ? fields : [...fields, { path: NAME, mode: nameMode(last) }];
  return `(${complete.map(({ path, mode }) => `${path} ${SHORT[mode]}`).join(', ')})`;
}
