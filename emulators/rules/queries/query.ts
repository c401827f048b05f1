import type { Value } from '../value.ts';

export type FilterOperator =
  '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not-in' | 'array-contains' | 'array-contains-any';

/** A field by the names that lead to it; `['__name__']` is the document's own path. */
export type FieldPath = readonly string[];

export type Filter =
  | {
      readonly kind: 'field';
      readonly field: FieldPath;
      readonly operator: FilterOperator;
      readonly value: Value;
    }
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] };

/** The parts of a Firestore query that limit the documents it may return. */
export interface Query {
  /** Segments of the collection's parent, from `databases` on: a document, or the database's `documents`. */
  readonly parent: readonly string[];
  /** Undefined: all collections below the parent. */
  readonly collectionId: string | undefined;
  /** Whether collections of that id at any depth below the parent are asked (a collection group). */
  readonly allDescendants: boolean;
  readonly where?: Filter;
  readonly orderBy?: readonly { readonly field: FieldPath; readonly direction: 'ASC' | 'DESC' }[];
  readonly limit?: number;
  readonly offset?: number;
}
