/** Names the file to which the reporter writes. */
export const REPORT_VARIABLE = 'HEARTH_TEST_REPORT';

/** One test file as the reporter saw it; its states are those of vitest. */
export interface FileReport {
  project: string;
  state: string;
  /** Seconds since the run started. */
  start: number;
  end: number;
  /** `site` is the place in the file where `test` is called: a table of cases has one. */
  cases: { state: string; site: string }[];
}

export interface TestReport {
  files: FileReport[];
}

export interface TestSummary {
  passed: number;
  failed: number;
  skipped: number;
  projects: ProjectSummary[];
}

export interface ProjectSummary {
  name: string;
  files: number;
  sites: number;
  cases: number;
  /** From the start of its first file to the end of its last one. */
  seconds: number;
}

/**
 * Counts the tests of a run. A failure outside a test counts as one more: a file that cannot be loaded, and an exit
 * code that no counted failure explains (a crash, an unhandled error, a global setup, no tests at all).
 */
export function summarize(report: TestReport | undefined, exitCode: number | null): TestSummary {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0, projects: [] };
  const { files } = report;
  const count = (state: string) => countCases(files, state);
  const brokenFiles = files.filter(
    ({ state, cases }) => state === 'failed' && !cases.some((testCase) => testCase.state === 'failed'),
  ).length;
  const passed = count('passed');
  const failed = count('failed') + brokenFiles;
  const unexplained = failed === 0 && (exitCode !== 0 || passed === 0) ? 1 : 0;
  return {
    passed,
    failed: failed + unexplained,
    skipped: count('skipped') + count('pending'),
    projects: summarizeProjects(files),
  };
}

function countCases(files: readonly FileReport[], state: string): number {
  return files.flatMap(({ cases }) => cases).filter((testCase) => testCase.state === state).length;
}

function summarizeProjects(files: readonly FileReport[]): ProjectSummary[] {
  const inOrder = files.toSorted((one, other) => one.start - other.start);
  return [...Map.groupBy(inOrder, ({ project }) => project)].map(([name, own]) => ({
    name,
    files: own.length,
    sites: own.reduce((sum, { cases }) => sum + new Set(cases.map(({ site }) => site)).size, 0),
    cases: own.reduce((sum, { cases }) => sum + cases.length, 0),
    seconds: Math.max(...own.map(({ end }) => end)) - Math.min(...own.map(({ start }) => start)),
  }));
}

/** A line for each project, and one for all of them: how many tests the source has, and how many cases they ran as. */
export function formatProjects({ projects }: TestSummary): string[] {
  const lines = projects.map(({ name, files, sites, cases, seconds }) =>
    [
      name.padEnd(10),
      `${seconds.toFixed(0)} s`.padStart(6),
      `${files} files`.padStart(11),
      `${sites} tests`.padStart(12),
      `${cases} cases`.padStart(12),
    ].join(''),
  );
  const total = (of: 'files' | 'sites' | 'cases') => projects.reduce((sum, project) => sum + project[of], 0);
  return [...lines, `${total('sites')} tests in ${total('files')} files, run as ${total('cases')} cases.`];
}

/** `N passed, N failed`, with `, N skipped` when there are any. */
export function formatSummary({ passed, failed, skipped }: TestSummary): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
