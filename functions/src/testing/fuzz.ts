/** Bounds of a fuzzer: brief in `npm test`, as long as FUZZ_SECONDS says in `npm run fuzz`. */
export function fuzzBounds(brief: { runs: number; milliseconds: number }) {
  const seconds = Number(process.env['FUZZ_SECONDS'] ?? 0);
  return {
    numRuns: seconds > 0 ? Number.MAX_SAFE_INTEGER : brief.runs,
    interruptAfterTimeLimit: seconds > 0 ? seconds * 1000 : brief.milliseconds,
    markInterruptAsFailure: false,
  };
}
