import { createHash } from 'node:crypto';

/** The clocks of our instances and of Cloud Tasks differ by less than this. */
const MARGIN_MS = 5_000;

/**
 * Makes the id of a task from a text that describes the task. The id is a hash, because Cloud Tasks spreads its work by
 * the beginnings of the ids.
 */
export function taskId(description: string): string {
  return createHash('sha256').update(description).digest('base64url');
}

/** Options of a task that runs once for a topic and a window of time. */
interface TaskWindow {
  /** The same for all tasks of the topic in the window. */
  id: string;
  scheduleTime: Date;
}

/**
 * Makes the window in which changes of a topic are collected. Cloud Tasks refuses a second task of a window. No change
 * is lost: the first task runs a few seconds after the end of the window, and finds everything that was committed in
 * the window. Example: with 60 seconds, changes at 10:00:05 and 10:00:50 lead to one task at 10:01:05.
 * https://docs.cloud.google.com/tasks/docs/reference/rest/v2/projects.locations.queues.tasks/create
 *
 * @param topic such as the id of a team
 * @param seconds length of the window
 * @returns undefined if `seconds` is 0: each change has a task of its own, which runs immediately
 */
export function taskWindow(topic: string, seconds: number, now: Date): TaskWindow | undefined {
  if (seconds === 0) return undefined;
  const lengthMs = seconds * 1_000;
  const endsAt = (Math.floor(now.getTime() / lengthMs) + 1) * lengthMs;
  const id = taskId(`${topic} ${seconds} ${endsAt}`);
  return { id, scheduleTime: new Date(endsAt + MARGIN_MS) };
}
