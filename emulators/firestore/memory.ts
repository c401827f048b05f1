import { setFlagsFromString } from 'node:v8';

const CHECK_MS = 500;
const MANY_MIB = 330;

/**
 * Lets V8 care for memory rather than speed as soon as the process is large: garbage would else pile up to several times
 * the size of the documents. Small databases, which are most, stay at full speed.
 */
export function limitGarbage(): void {
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() < MANY_MIB * 1_048_576) return;
    setFlagsFromString('--optimize-for-size');
    clearInterval(timer);
  }, CHECK_MS);
  timer.unref();
}
