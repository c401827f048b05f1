import { isBelow, lastSegment, parentOf } from '../model/paths.ts';

/** The collections a query reads: one collection, or all (of one id) anywhere below the parent. */
export interface Scope {
  /** Path of the parent document; empty for the root. */
  readonly parent: string;
  /** Undefined reads collections of every id. */
  readonly collectionId: string | undefined;
  readonly allDescendants: boolean;
}

/** Whether a collection path belongs to the scope. */
export function inScope(collection: string, { parent, collectionId, allDescendants }: Scope): boolean {
  if (collectionId !== undefined && lastSegment(collection) !== collectionId) return false;
  return allDescendants ? isBelow(collection, parent) : parentOf(collection) === parent;
}
