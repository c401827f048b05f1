/**
 * `npm test`: runs every test, or those that the arguments for vitest select, and prints as its last line
 * `N passed, N failed`. Ends with 1 when anything failed.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireNode24 } from './node-version.ts';
import { ROOT } from './paths.ts';
import { onShutdown } from './shutdown.ts';
import { formatSummary, summarize, type TestReport } from './test-summary.ts';

try {
  requireNode24();
  const folder = mkdtempSync(join(tmpdir(), 'hearth-report-'));
  const reportFile = join(folder, 'report.json');
  const exitCode = await runVitest(reportFile, process.argv.slice(2));
  const summary = summarize(readReport(reportFile), exitCode);
  rmSync(folder, { recursive: true });
  if (summary.failed > 0) process.exitCode = 1;
  console.log(formatSummary(summary));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log(formatSummary(summarize(undefined, null)));
  process.exitCode = 1;
}

/** @returns vitest's exit code, or null when a signal ended it. */
function runVitest(reportFile: string, args: readonly string[]): Promise<number | null> {
  const vitest = join(createRequire(import.meta.url).resolve('vitest/package.json'), '../vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  // Vitest gets a terminal's Ctrl-C itself. In any case it ends the stack that it started, and this waits for it.
  onShutdown((signal) => signal === 'SIGINT' || child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

function readReport(file: string): TestReport | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TestReport) : undefined;
}
