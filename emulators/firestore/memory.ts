import { setFlagsFromString } from 'node:v8';

const CHECK_MS = 500;
const MANY_MIB = 330;

/**
 * Makes V8 prefer memory over speed once the process is large. Otherwise garbage grows to several times the size of
 * the documents. Small databases keep full speed.
 */
export function limitGarbage(): void {
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() < MANY_MIB * 1_048_576) return;
    setFlagsFromString('--optimize-for-size');
    clearInterval(timer);
  }, CHECK_MS);
  timer.unref();
}
