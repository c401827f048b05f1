import pMap from 'p-map';
import { logWarning } from './log.ts';

/** Documents that one sweep handles at the same time, unless it has another number. */
const CONCURRENCY = 5;

/**
 * Runs `work` for each document that a sweep found, a few at the same time. A failure is logged, and the next sweep
 * finds its document again.
 *
 * @param isOver asked before each document; once it returns true, no further work begins
 * @returns the number of documents for which `work` succeeded
 */
export async function sweepEach<Found extends { path: string }>(
  found: Iterable<Found> | AsyncIterable<Found>,
  work: (document: Found) => Promise<unknown>,
  isOver: () => boolean = () => false,
  concurrency = CONCURRENCY,
): Promise<number> {
  let done = 0;
  const sweepOne = async (document: Found) => {
    try {
      await work(document);
      done += 1;
    } catch (error) {
      logWarning(`Left for the next sweep: ${document.path}`, error);
    }
  };
  await pMap(takeUntil(isOver, found), sweepOne, { concurrency });
  return done;
}

async function* takeUntil<Item>(
  isOver: () => boolean,
  items: Iterable<Item> | AsyncIterable<Item>,
): AsyncGenerator<Item> {
  for await (const item of items) {
    if (isOver()) return;
    yield item;
  }
}
