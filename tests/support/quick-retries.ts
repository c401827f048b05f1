import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Part of each wait that remains. */
const PART = 0.05;

/** The client's longest pause between two tries, with its jitter. Its longer timers are not for retries. */
const LONGEST_PAUSE_MS = 90_000;

/**
 * Shortens the pauses after which the Firestore client retries a contended transaction: a second or more each, though
 * the local Firestore is free again within milliseconds. Together they were a third of the time that the tests took.
 */
const require = createRequire(import.meta.url);
const backoff = require(join(require.resolve('@google-cloud/firestore'), '../backoff.js')) as {
  delayExecution: (run: () => void, milliseconds: number) => NodeJS.Timeout;
};
backoff.delayExecution = (run, milliseconds) =>
  setTimeout(run, milliseconds > LONGEST_PAUSE_MS ? milliseconds : milliseconds * PART);
