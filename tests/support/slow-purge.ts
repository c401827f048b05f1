import type { Backend } from '../../functions/src/backend.ts';
import { HOUR_MS } from '../../functions/src/common/durations.ts';
import type { Purge } from '../../functions/src/personal-data/purge.ts';

export interface SlowPurge {
  purge: Purge;
  /** The clock that the batches move on. */
  now: Backend['now'];
  /** The ids that were purged, once for each batch. */
  ids: string[];
}

/** A purge of which each batch is full and takes an hour, so that the time is up after the first batch. */
export function slowPurge(now: Backend['now']): SlowPurge {
  const ids: string[] = [];
  return {
    ids,
    now: () => new Date(now().getTime() + ids.length * HOUR_MS),
    purge: (_backend, id, limit) => {
      ids.push(id);
      return Promise.resolve(limit);
    },
  };
}
