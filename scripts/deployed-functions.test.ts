import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import deployedFunctions from './deployed-functions.json' with { type: 'json' };
import type { DeployedFunction } from './deployed-functions.ts';
import { ROOT } from './paths.ts';
import { defaultSettings } from './settings-files.ts';

/** The smallest quota that Cloud Run is known to give a project in a region. */
const QUOTA = { vCpus: 20, memoryMb: 40 * 1024 };

/** The part of the Firebase CLI that chooses what a function says nothing about. */
interface Backend {
  DEFAULT_MEMORY: number;
  memoryToGen2Cpu: (memoryMb: number) => number;
}

const { DEFAULT_MEMORY, memoryToGen2Cpu } = createRequire(import.meta.url)(
  'firebase-tools/lib/deploy/functions/backend',
) as Backend;

/** The value of a number, or of the expression of a setting that has its default. */
function valueOf(count: number | string | undefined): number {
  const setting = /^\{\{ params\.(\w+) \}\}$/.exec(String(count))?.[1];
  return Number(setting === undefined ? count : defaultSettings()[setting]);
}

const FUNCTIONS: [name: string, deployed: DeployedFunction][] = Object.entries(deployedFunctions);

// Google checks this for each function alone when it is deployed.
test.each(FUNCTIONS)('the quota of a new project suffices for all instances of %s', (_name, deployed) => {
  const { maxInstances, memoryMb = DEFAULT_MEMORY } = deployed;
  const instances = valueOf(maxInstances);
  expect(instances).toBeGreaterThan(0);
  expect(instances * memoryToGen2Cpu(memoryMb)).toBeLessThanOrEqual(QUOTA.vCpus);
  expect(instances * memoryMb).toBeLessThanOrEqual(QUOTA.memoryMb);
});

/** Runs a day of a schedule such as `every 5 minutes`. */
function runsPerDay(schedule: string): number {
  const [, count, unit] = /^every (\d+) (minutes|hours)$/.exec(schedule) ?? [];
  return (unit === 'hours' ? 24 : 24 * 60) / Number(count);
}

test('the page about costs has the number of schedules and of their runs', () => {
  const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const schedules = FUNCTIONS.map(([, { trigger }]) => trigger).filter((trigger) => /^every /.test(trigger));
  const runs = schedules.reduce((sum, schedule) => sum + runsPerDay(schedule), 0);
  expect(page).toContain(`The schedules run ${runs} times a day`);
  // Three jobs are free, and each further one costs $0.10 a month.
  const cost = `$${((schedules.length - 3) * 0.1).toFixed(2)}`;
  expect(page).toContain(`| Cloud Scheduler | ${cost} | ${cost} |`);
});
