import { setTimeout } from 'node:timers/promises';
import { BACKSTOP_MS } from '../../scripts/backstop.ts';
import { isRefusal } from '../../functions/src/refusals.ts';

/** Replaces the task queue: runs its tasks in this process until they succeed. */
export interface SeatQueue {
  /** For `Backend`. */
  enqueue: (teamId: string) => Promise<void>;
  /** The teams whose seats were to be synced, in order. */
  enqueued: string[];
  /** Resolves when every task has succeeded. */
  idle: () => Promise<void>;
}

const PAUSE_MS = 10;
const MAX_ATTEMPTS = BACKSTOP_MS / PAUSE_MS;

export function seatQueue(run: (teamId: string) => Promise<void>): SeatQueue {
  const enqueued: string[] = [];
  const tasks = new Set<Promise<void>>();
  return {
    enqueued,
    enqueue: (teamId) => {
      enqueued.push(teamId);
      const task = retry(() => run(teamId)).finally(() => tasks.delete(task));
      tasks.add(task);
      task.catch(() => undefined);
      return Promise.resolve();
    },
    idle: async () => {
      while (tasks.size > 0) await Promise.all(tasks);
    },
  };
}

/** Retries after a refusal that may pass, as Cloud Tasks does after an answer of 5xx. */
async function retry(run: () => Promise<void>, attempt = 1): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isRefusal(error) || !error.isOutage || attempt === MAX_ATTEMPTS) throw error;
    await setTimeout(PAUSE_MS);
    await retry(run, attempt + 1);
  }
}
