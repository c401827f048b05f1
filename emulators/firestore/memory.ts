import { setFlagsFromString } from 'node:v8';

/**
 * Largest ratio of garbage to live memory, in percent. By V8's own choice garbage grows to several times the size of
 * the documents; much less would cost more time than the requests themselves.
 */
const GARBAGE_PERCENT = 60;

/** Makes V8 collect garbage early, so that the memory of the process follows the size of the documents. */
export function limitGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${String(GARBAGE_PERCENT)}`);
}
