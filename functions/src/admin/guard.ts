import type { Caller } from '../auth/caller.ts';
import type { Operator } from './operator.ts';

/** The operator behind a request. Its route has `admin: true`, so the caller has the claim. */
export function operatorOf({ uid }: Pick<Caller, 'uid'>): Operator {
  return { id: uid };
}
