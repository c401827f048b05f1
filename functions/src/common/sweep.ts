import { logWarning } from './log.ts';

const AT_ONCE = 5;

/**
 * Does the same for each document that a sweep found, some at once. One at which it fails is logged and keeps none of the
 * others; the next run finds it again.
 *
 * @param isOver asked before each: nothing is begun any more when the time of a run is over
 * @returns for how many it was done
 */
export async function sweepEach<Found extends { path: string }>(
  found: readonly Found[],
  work: (document: Found) => Promise<unknown>,
  isOver: () => boolean = () => false,
): Promise<number> {
  const queue = found.values();
  let done = 0;
  const workThrough = async () => {
    for (const document of queue) {
      if (isOver()) return;
      try {
        await work(document);
        done += 1;
      } catch (error) {
        logWarning(`Left for the next sweep: ${document.path}`, error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workThrough));
  return done;
}
