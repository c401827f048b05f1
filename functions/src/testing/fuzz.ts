import fc from 'fast-check';

/** Limits of a fuzzer: a number of runs in `npm test`, and FUZZ_SECONDS in `npm run fuzz`. */
export function fuzzBounds(briefRuns: number) {
  const seconds = Number(process.env['FUZZ_SECONDS'] ?? 0);
  if (seconds === 0) return { numRuns: briefRuns };
  return { numRuns: Number.MAX_SAFE_INTEGER, plugins: [fc.interruptAfterTimeLimit(seconds * 1000)] };
}
