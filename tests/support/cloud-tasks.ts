import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { SeatSyncTask } from '../../functions/src/task-queues.ts';

/** A task that waits for its time. */
interface Waiting {
  data: SeatSyncTask;
  /** Milliseconds since 1970. */
  runAt: number;
  attempts: number;
}

/** Replaces Cloud Tasks for the Admin SDK. It waits for the time of a task and never forgets an id, as the real one. */
export interface CloudTasks extends AsyncDisposable {
  /** For the environment variable of the Admin SDK. */
  host: string;
  /** Runs the tasks whose time has come, and postpones those that fail. */
  runDue: (now: Date) => Promise<void>;
  /** The time of the next task. */
  next: () => Date | undefined;
}

/** The retries of the queue, see `functions/src/index.ts`. */
const FIRST_BACKOFF_MS = 2_000;
const LAST_BACKOFF_MS = 3_600_000;

/** @param run the function of the queue */
export async function startCloudTasks(
  run: (task: SeatSyncTask) => Promise<unknown>,
  now: () => Date,
): Promise<CloudTasks> {
  const ids = new Set<string>();
  let waiting: Waiting[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { task } = body as {
        task: { name?: string; scheduleTime?: string; httpRequest: { body: string } };
      };
      if (task.name !== undefined && ids.has(task.name)) {
        response.writeHead(409).end('{}');
        return;
      }
      if (task.name !== undefined) ids.add(task.name);
      const { data } = JSON.parse(Buffer.from(task.httpRequest.body, 'base64').toString()) as {
        data: SeatSyncTask;
      };
      const runAt = task.scheduleTime === undefined ? now().getTime() : Date.parse(task.scheduleTime);
      waiting.push({ data, runAt, attempts: 0 });
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    runDue: async (time) => {
      const due = waiting.filter(({ runAt }) => runAt <= time.getTime());
      waiting = waiting.filter((task) => !due.includes(task));
      for (const task of due) {
        await run(task.data).catch(() => {
          const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** task.attempts, LAST_BACKOFF_MS);
          waiting.push({ ...task, runAt: time.getTime() + backoff, attempts: task.attempts + 1 });
        });
      }
    },
    next: () => {
      const times = waiting.map(({ runAt }) => runAt);
      return times.length === 0 ? undefined : new Date(Math.min(...times));
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
