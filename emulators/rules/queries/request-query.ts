import { int, map, NULL, string, type Value } from '../value.ts';
import type { Query } from './query.ts';

/**
 * `request.query`: `limit` is null and `offset` 0 when the query has none. `orderBy` maps each field to ASC or DESC.
 * https://firebase.google.com/docs/reference/rules/rules.firestore.Request
 */
export function requestQuery({ limit, offset = 0, orderBy = [] }: Query): Value {
  return map({
    limit: limit === undefined ? NULL : int(limit),
    offset: int(offset),
    orderBy: map(orderBy.map(({ field, direction }) => [field.join('.'), string(direction)] as const)),
  });
}
