import { describe, expect, test } from 'vitest';
import { formatSummary, summarize, type TestReport } from './test-summary.ts';

const file = (status: string, ...assertions: string[]) => ({
  status,
  assertionResults: assertions.map((assertion) => ({ status: assertion })),
});

const report = (passed: number, failed: number, ...testResults: TestReport['testResults']): TestReport => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults,
});

describe('summarize', () => {
  test.each<[string, TestReport | undefined, number | null, string]>([
    ['a passing run', report(2, 0, file('passed', 'passed', 'passed')), 0, '2 passed, 0 failed'],
    ['failed tests', report(1, 1, file('failed', 'passed', 'failed')), 1, '1 passed, 1 failed'],
    [
      'a file that cannot be loaded',
      report(1, 0, file('passed', 'passed'), file('failed')),
      1,
      '1 passed, 1 failed',
    ],
    ['a failed beforeAll', report(0, 0, file('failed', 'skipped')), 1, '0 passed, 1 failed'],
    ['an unhandled error', report(3, 0, file('passed')), 1, '3 passed, 1 failed'],
    ['a run ended by a signal', report(3, 0, file('passed')), null, '3 passed, 1 failed'],
    ['a run without a test', report(0, 0), 0, '0 passed, 1 failed'],
    ['a crash before the report', undefined, 1, '0 passed, 1 failed'],
  ])('counts %s', (_name, given, exitCode, expected) => {
    expect(formatSummary(summarize(given, exitCode))).toBe(expected);
  });

  test('names skipped and todo tests only when there are any', () => {
    const summary = summarize({ ...report(1, 0, file('passed')), numPendingTests: 2, numTodoTests: 1 }, 0);
    expect(formatSummary(summary)).toBe('1 passed, 0 failed, 3 skipped');
  });
});
