import { createHash } from 'node:crypto';

/** The clocks of our instances and of Cloud Tasks differ by less than this. */
const MARGIN_MS = 5_000;

/** Makes the id of a task: a hash, because Cloud Tasks distributes tasks by the beginnings of their ids. */
export function taskId(description: string): string {
  return createHash('sha256').update(description).digest('base64url');
}

interface TaskWindow {
  /** The same for all changes of the topic in the window. Cloud Tasks refuses a second task with the same id. */
  id: string;
  scheduleTime: Date;
}

/**
 * Makes the window of a change. All changes of a topic in one window share one task, which runs after the window and
 * finds them all. Example: with 60 seconds, changes at 10:00:20 and 10:00:50 lead to one task at 10:01:05. Their window
 * ends at 10:01:00, and five seconds follow.
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
