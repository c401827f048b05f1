import { describe, expect, test } from 'vitest';
import { formatProjects, formatSummary, summarize, type FileReport } from './test-summary.ts';

const file = (state: string, ...states: string[]): FileReport => ({
  project: 'unit',
  state,
  start: 0,
  end: 1,
  cases: states.map((caseState, index) => ({ state: caseState, site: `${index}:1` })),
});

describe('summarize', () => {
  test.each<[string, FileReport[] | undefined, number | null, string]>([
    ['a passing run', [file('passed', 'passed', 'passed')], 0, '2 passed, 0 failed'],
    ['failed tests', [file('failed', 'passed', 'failed')], 1, '1 passed, 1 failed'],
    ['a file that cannot be loaded', [file('passed', 'passed'), file('failed')], 1, '1 passed, 1 failed'],
    ['a failed beforeAll', [file('failed', 'skipped')], 1, '0 passed, 1 failed, 1 skipped'],
    ['an unhandled error', [file('passed', 'passed')], 1, '1 passed, 1 failed'],
    ['a run ended by a signal', [file('passed', 'passed')], null, '1 passed, 1 failed'],
    ['a run without a test', [], 0, '0 passed, 1 failed'],
    ['a crash before the report', undefined, 1, '0 passed, 1 failed'],
    [
      'skipped and unfinished tests',
      [file('passed', 'passed', 'skipped', 'pending')],
      0,
      '1 passed, 0 failed, 2 skipped',
    ],
  ])('counts %s', (_name, files, exitCode, expected) => {
    const report = files === undefined ? undefined : { files };
    expect(formatSummary(summarize(report, exitCode))).toBe(expected);
  });
});

test('each project has its time, and a table of cases counts as one test', () => {
  const table = [
    { state: 'passed', site: '3:1' },
    { state: 'passed', site: '3:1' },
    { state: 'passed', site: '9:1' },
  ];
  const files = [
    { ...file('passed', 'passed'), project: 'system', start: 14, end: 114 },
    { ...file('passed', 'passed'), start: 2, end: 5 },
    { ...file('passed'), start: 3, end: 14, cases: table },
  ];
  expect(formatProjects(summarize({ files }, 0))).toEqual([
    'unit        12 s    2 files     3 tests     4 cases',
    'system     100 s    1 files     1 tests     1 cases',
    '4 tests in 3 files, run as 5 cases.',
  ]);
});
