/**
 * `npm test`: runs every test, or those that the arguments for vitest select. Prints the time of each project and, as
 * its last line, `N passed, N failed`. Ends with 1 when anything failed.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { requireNode24 } from './node-version.ts';
import { CACHE, ROOT } from './paths.ts';
import { onShutdown } from './shutdown.ts';
import {
  formatProjects,
  formatSummary,
  REPORT_VARIABLE,
  summarize,
  type TestReport,
} from './test-summary.ts';

try {
  requireNode24();
  const folder = mkdtempSync(join(tmpdir(), 'hearth-report-'));
  const reportFile = join(folder, 'report.json');
  const exitCode = await runVitest(reportFile, process.argv.slice(2));
  const summary = summarize(readReport(reportFile), exitCode);
  rmSync(folder, { recursive: true });
  if (summary.failed > 0) process.exitCode = 1;
  console.log(['', ...formatProjects(summary), formatSummary(summary)].join('\n'));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log(formatSummary(summarize(undefined, null)));
  process.exitCode = 1;
}

/** @returns vitest's exit code, or null when a signal ended it. */
async function runVitest(reportFile: string, args: readonly string[]): Promise<number | null> {
  const vitest = join(createRequire(import.meta.url).resolve('vitest/package.json'), '../vitest.mjs');
  const reporters = ['--reporter=default', `--reporter=${join(ROOT, 'scripts/test-reporter.ts')}`];
  const child = execa(process.execPath, [vitest, 'run', ...reporters, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    reject: false,
    env: {
      [REPORT_VARIABLE]: reportFile,
      // Each test file has a process of its own, which loads the same packages.
      NODE_COMPILE_CACHE: join(CACHE, 'compile'),
    },
  });
  // Vitest gets a terminal's Ctrl-C itself. In any case it ends the stack that it started, and this waits for it.
  onShutdown((signal) => signal === 'SIGINT' || child.nodeChildProcess.kill(signal));
  return (await child).exitCode ?? null;
}

function readReport(file: string): TestReport | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TestReport) : undefined;
}
