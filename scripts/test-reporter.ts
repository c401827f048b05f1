import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { REPORT_VARIABLE, type FileReport, type TestReport } from './test-summary.ts';

/** Writes what `test-summary.ts` counts to the file that the environment names. */
export default class SummaryReporter implements Reporter {
  readonly #started = performance.now();
  readonly #times = new Map<string, { start: number; end: number }>();

  onTestModuleQueued({ id }: TestModule): void {
    const now = this.#seconds();
    this.#times.set(id, { start: now, end: now });
  }

  onTestModuleEnd({ id }: TestModule): void {
    const time = this.#times.get(id);
    if (time !== undefined) time.end = this.#seconds();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const report: TestReport = { files: modules.map((module) => this.#fileReport(module)) };
    const file = process.env[REPORT_VARIABLE];
    if (file !== undefined) writeFileSync(file, JSON.stringify(report));
  }

  #fileReport(module: TestModule): FileReport {
    const cases = [...module.children.allTests()].map((test) => ({
      state: test.result().state,
      site: `${test.location?.line ?? 0}:${test.location?.column ?? 0}`,
    }));
    const { start, end } = this.#times.get(module.id) ?? { start: 0, end: 0 };
    return { project: module.project.name, state: module.state(), start, end, cases };
  }

  #seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }
}
