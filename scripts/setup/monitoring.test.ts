import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SETTINGS } from '../../functions/src/settings/table.ts';
import { BRAND } from '../../shared/src/brand.ts';
import { ROOT } from '../paths.ts';
import { alertPolicies, dashboard } from './steps/monitoring.ts';

test('every alert policy has a runbook, and every runbook an alert policy', () => {
  const page = readFileSync(join(ROOT, 'docs/runbooks.md'), 'utf8');
  const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  const names = alertPolicies().map(({ displayName }) => displayName);
  expect(names.length).toBeGreaterThan(5);
  expect(headings.toSorted()).toEqual(names.toSorted());
});

test('every runbook describes where to look and what to do', () => {
  const page = readFileSync(join(ROOT, 'docs/runbooks.md'), 'utf8');
  const sections = page.split(/^## /m).slice(1);
  expect(sections.filter((text) => !/- \*\*Look at\*\*[^]+- \*\*Do\*\*/.test(text))).toEqual([]);
});

test('the alert about instances is at four fifths of the default of API_MAX_INSTANCES', () => {
  const most = SETTINGS.apiMaxInstances.default;
  const alert = JSON.parse(read('monitoring/alerts/instances.json')) as {
    documentation: { content: string };
    conditions: { displayName: string; conditionThreshold: { thresholdValue: number } }[];
  };
  const threshold = Number(most) * 0.8;
  expect(alert.conditions).toMatchObject([
    {
      displayName: `More than ${threshold} of ${most} instances`,
      conditionThreshold: { thresholdValue: threshold },
    },
  ]);
  expect(alert.documentation.content).toContain(`At ${most} instances (API_MAX_INSTANCES)`);
});

test('active and idle instances are added up minute by minute, not the most of five minutes of each', () => {
  const counting = aggregationsOf('container/instance_count');
  expect(counting).toHaveLength(2);
  for (const aggregation of counting) {
    expect(aggregation).toMatchObject({
      ...{ alignmentPeriod: '60s', perSeriesAligner: 'ALIGN_MAX', crossSeriesReducer: 'REDUCE_SUM' },
    });
  }
});

test('the 95th percentile of latency is that of all requests, not that of the slowest response code', () => {
  const latencies = aggregationsOf('request_latencies');
  expect(latencies).toHaveLength(2);
  for (const aggregation of latencies) {
    expect(aggregation).toMatchObject({
      ...{ perSeriesAligner: 'ALIGN_DELTA', crossSeriesReducer: 'REDUCE_PERCENTILE_95' },
    });
  }
});

test('the alert about warnings does not count the log of requests, which has a warning for each refusal', () => {
  const counting = alertFiles().filter((text) => text.includes('logging.googleapis.com/log_entry_count'));
  expect(counting.length).toBeGreaterThan(0);
  // Google does not say whether the label has the name of the log or its form for URLs.
  for (const log of ['run.googleapis.com/requests', 'run.googleapis.com%2Frequests']) {
    const excluded = `metric.labels.log!=\\"${log}\\"`;
    expect(counting.filter((text) => !text.includes(excluded))).toEqual([]);
  }
});

test('the alert about tasks measures how late they begin, because the depth counts tasks that are not due', () => {
  const filters = alertFiles().filter((text) => text.includes('cloud_tasks_queue'));
  expect(filters).toEqual([expect.stringContaining('cloudtasks.googleapis.com/queue/task_attempt_delays')]);
  // A round over all subscriptions may last for hours, and its tasks wait for each other.
  expect(filters[0]).toContain(String.raw`resource.labels.queue_id!=\"reconcileSubscriptions\"`);
});

test('the dashboard has the name of the app', () => {
  expect(dashboard()).toMatchObject({ displayName: BRAND.name, mosaicLayout: { columns: 12 } });
  expect(readFileSync(join(ROOT, 'monitoring/dashboard.json'), 'utf8')).not.toMatch(/"displayName"/);
});

test('each message that an alert looks for is logged by the functions, and quoted in the runbooks', () => {
  const quoted = alertFiles().flatMap((text) =>
    Array.from(text.matchAll(/jsonPayload\.message:\\"([^"\\]+)\\"/g), ([, message]) => message ?? ''),
  );
  const sources = globSync('functions/src/**/*.ts', { cwd: ROOT }).map(read).join('\n');
  const runbooks = read('docs/runbooks.md');
  expect(quoted).not.toEqual([]);
  expect(quoted.filter((message) => !sources.includes(message) || !runbooks.includes(message))).toEqual([]);
});

/** How the alerts and the dashboard combine the series of a metric of Cloud Run. */
function aggregationsOf(metric: string): unknown[] {
  const conditions = alertPolicies().flatMap(({ conditions }) => conditions as Condition[]);
  const { mosaicLayout } = dashboard() as unknown as Dashboard;
  const shown = mosaicLayout.tiles
    .flatMap(({ widget }) => widget.xyChart.dataSets)
    .map(({ timeSeriesQuery: { timeSeriesFilter } }) => timeSeriesFilter);
  return [
    ...conditions.flatMap(({ conditionThreshold }) => conditionThreshold ?? []),
    ...shown.map(({ filter, aggregation }) => ({ filter, aggregations: [aggregation] })),
  ]
    .filter(({ filter }) => filter.includes(`metric.type="run.googleapis.com/${metric}"`))
    .flatMap(({ aggregations }) => aggregations);
}

interface Condition {
  conditionThreshold?: { filter: string; aggregations: object[] };
}

interface Dashboard {
  mosaicLayout: {
    tiles: {
      widget: {
        xyChart: {
          dataSets: { timeSeriesQuery: { timeSeriesFilter: { filter: string; aggregation: object } } }[];
        };
      };
    }[];
  };
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function alertFiles(): string[] {
  return globSync('monitoring/alerts/*.json', { cwd: ROOT }).map(read);
}
