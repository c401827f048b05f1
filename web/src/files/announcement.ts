import type { Sending } from './upload-queue.ts';

/**
 * The text that a screen reader speaks about the uploads: how many there are, and which have failed. It leaves out the
 * progress, which would be spoken at every change.
 */
export function announcementOf(sending: readonly Pick<Sending, 'name' | 'status' | 'problem'>[]): string {
  const failures = sending.flatMap(({ name, problem }) =>
    problem === undefined ? [] : [`${name} failed: ${problem}`],
  );
  const running = sending.length - failures.length;
  return [...(running === 0 ? [] : [`${filesOf(running)} being sent.`]), ...failures].join(' ');
}

const filesOf = (count: number) => (count === 1 ? 'One file is' : `${count} files are`);
