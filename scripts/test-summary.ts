/** The parts of vitest's JSON report (its `json` reporter) that are counted here. */
export interface TestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

export interface TestSummary {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Counts the tests of a run. What fails outside a test counts as one more failure: a file that cannot be loaded, and
 * an exit code that no counted failure explains (a crash, an unhandled error, a global setup, no tests at all).
 */
export function summarize(report: TestReport | undefined, exitCode: number | null): TestSummary {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  ).length;
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + brokenFiles;
  const unexplained = failed === 0 && (exitCode !== 0 || passed === 0) ? 1 : 0;
  return { passed, failed: failed + unexplained, skipped: report.numPendingTests + report.numTodoTests };
}

/** `N passed, N failed`, with `, N skipped` when there are any. */
export function formatSummary({ passed, failed, skipped }: TestSummary): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
