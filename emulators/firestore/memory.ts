import { setFlagsFromString } from 'node:v8';

/**
 * Garbage may take at most this share of what is in use. By V8's own choice it grows to several times the size of the
 * documents; much less would cost more time than the requests themselves.
 */
const GARBAGE_PERCENT = 60;

/** Makes V8 collect garbage early, so that the memory of the process follows the size of the documents. */
export function limitGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${String(GARBAGE_PERCENT)}`);
}
