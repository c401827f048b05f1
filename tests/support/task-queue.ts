import { setTimeout } from 'node:timers/promises';
import { Refusal } from '../../functions/src/refusals/refusals.ts';
import { BACKSTOP_MS } from '../../scripts/backstop.ts';

/** Replaces the task queue: runs its tasks in this process until they succeed. */
export interface TaskQueue<Task> extends Disposable {
  /** For `Backend`. */
  enqueue: (task: Task) => Promise<void>;
  /** The tasks that were enqueued, in order. */
  enqueued: Task[];
  /** Resolves when every task has succeeded. */
  idle: () => Promise<void>;
  /** Repeats no more tasks. Otherwise a task that can never succeed would go on in the next test file. */
  [Symbol.dispose]: () => void;
}

const PAUSE_MS = 10;
const MAX_ATTEMPTS = BACKSTOP_MS / PAUSE_MS;

export function taskQueue<Task>(run: (task: Task) => Promise<void>): TaskQueue<Task> {
  const enqueued: Task[] = [];
  const tasks = new Set<Promise<void>>();
  const queue = { isOpen: true };
  return {
    enqueued,
    enqueue: (task) => {
      enqueued.push(task);
      const running = retry(queue, () => run(task)).finally(() => tasks.delete(running));
      tasks.add(running);
      running.catch(() => undefined);
      return Promise.resolve();
    },
    idle: async () => {
      while (tasks.size > 0) await Promise.all(tasks);
    },
    [Symbol.dispose]: () => {
      queue.isOpen = false;
    },
  };
}

/** Retries after a refusal that may pass, as Cloud Tasks does after an answer of 5xx. */
async function retry(queue: { isOpen: boolean }, run: () => Promise<void>, attempt = 1): Promise<void> {
  try {
    await run();
  } catch (error) {
    const isRepeated = error instanceof Refusal && error.kind !== 'caller' && attempt < MAX_ATTEMPTS;
    if (!isRepeated || !queue.isOpen) throw error;
    await setTimeout(PAUSE_MS);
    await retry(queue, run, attempt + 1);
  }
}
