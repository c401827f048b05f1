import { createHash } from 'node:crypto';

/** More than the clocks of our instances and of Cloud Tasks ever differ. */
const MARGIN_MS = 5_000;

/**
 * The id of a task that a text describes. Cloud Tasks spreads its work by the beginnings of the ids, so they must
 * differ.
 */
export function taskId(description: string): string {
  return createHash('sha256').update(description).digest('base64url');
}

/** Options of a task that runs once for a topic and a window of time. */
interface TaskWindow {
  /** The same for all tasks of the topic in the window. Cloud Tasks refuses the second one. */
  id: string;
  /** A few seconds after the end of the window. */
  scheduleTime: Date;
}

/**
 * The window in which changes of a topic are collected. Cloud Tasks refuses a second task of a window. That loses no
 * change, because the first task runs a few seconds after the end of the window, and finds everything that was
 * committed before. Example: with 60 seconds, changes at 10:00:05 and 10:00:50 lead to one task at 10:01:05.
 * https://docs.cloud.google.com/tasks/docs/reference/rest/v2/projects.locations.queues.tasks/create
 *
 * @param topic such as the id of a team
 * @param seconds length of the window
 * @returns undefined without a window: each change has a task of its own, which runs immediately
 */
export function taskWindow(topic: string, seconds: number, now: Date): TaskWindow | undefined {
  if (seconds === 0) return undefined;
  const lengthMs = seconds * 1_000;
  const endsAt = (Math.floor(now.getTime() / lengthMs) + 1) * lengthMs;
  const id = taskId(`${topic} ${seconds} ${endsAt}`);
  return { id, scheduleTime: new Date(endsAt + MARGIN_MS) };
}
