import { setTimeout } from 'node:timers/promises';
import { logWarning } from '../common/log.ts';

/** Failures within this time are logged once. */
const LOG_PAUSE_MS = 300_000;

/**
 * Makes one export of many calls: at most one is under way, and one waits behind it.
 *
 * @returns a function that never rejects. Its promise is fulfilled when an export that began after the call has ended
 */
export function oneAtATime(exportAll: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return () => {
    waiting ??= last = last.then(() => {
      waiting = undefined;
      return exportAll().catch(() => undefined);
    });
    return waiting;
  };
}

/** Waits for work, at most `ms`. The work continues afterwards. */
export async function waitAtMost(ms: number, work: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const late = setTimeout(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([work, late]);
  timer.abort();
}

/** Logs failed exports, once in five minutes. A failure never reaches the work that was traced. */
export function logFailures(clock: () => number = () => performance.now()): (error: unknown) => void {
  let loggedAt = -Infinity;
  return (error) => {
    if (clock() - loggedAt < LOG_PAUSE_MS) return;
    loggedAt = clock();
    // The provider rejects with a list.
    logWarning('Traces could not be exported', [error].flat()[0]);
  };
}
