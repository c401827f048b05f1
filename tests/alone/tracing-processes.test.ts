import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { TEST_SETTINGS } from '../../functions/src/testing/settings.ts';
import { startCollector } from '../../functions/src/tracing/testing/collector-server.ts';

const ENTRY = new URL('../../functions/src/index.ts', import.meta.url).href;

/** Prints the packages of OpenTelemetry that a process has loaded after the statements ran. */
const scriptOf = (statements: string) => `
  import { registerHooks } from 'node:module';
  const loaded = new Set();
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const name = /node_modules\\/@opentelemetry\\/([\\w-]+)/.exec(found.url)?.[1];
      if (name !== undefined) loaded.add(name);
      return found;
    },
  });
  const functions = await import(${JSON.stringify(ENTRY)});
  ${statements}
  console.log(JSON.stringify([...loaded].sort()));
  process.exit();`;

const REQUEST = `
  const server = (await import('node:http')).createServer((request, response) => functions.api(request, response));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { status } = await fetch('http://127.0.0.1:' + server.address().port + '/api/health');
  if (status !== 200) throw new Error('answered ' + status);`;

/**
 * Runs a function as its own process, as Cloud Functions does. @returns the packages of OpenTelemetry that it loaded
 */
async function loadedBy(statements: string, environment: Record<string, string>): Promise<string[]> {
  const { env, projectId } = inject('stack');
  const options = {
    env: {
      ...TEST_SETTINGS,
      ...env,
      PATH: process.env['PATH'] ?? '',
      METADATA_SERVER_DETECTION: 'none',
      GCLOUD_PROJECT: projectId,
      FIREBASE_CONFIG: JSON.stringify({ projectId, storageBucket: `${projectId}.firebasestorage.app` }),
      ...environment,
    },
  };
  const args = ['--input-type=module', '-e', scriptOf(statements)];
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as string[];
}

test.each([
  ['off', {}],
  ['disabled', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }],
])('a request loads nothing of OpenTelemetry while tracing is %s', async (_case, settings) => {
  expect(await loadedBy(REQUEST, { FUNCTION_TARGET: 'api', ...settings })).toEqual([]);
});

test('a request loads the SDK while tracing is on', async () => {
  const settings = { FUNCTION_TARGET: 'api', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
  expect(await loadedBy(REQUEST, settings)).toContain('sdk-trace');
});

test('a schedule loads only the interface that the Firestore client brings, while tracing is off', async () => {
  const run = 'await functions.sweepTeams.run({});';
  expect(await loadedBy(run, { FUNCTION_TARGET: 'sweepTeams' })).toEqual(['api']);
});

test.each([
  ['sweepTeams', '{}', 'INTERNAL', 'timer'],
  ['syncSeats', "{ data: { teamId: 'unknown' } }", 'CONSUMER', 'pubsub'],
  ['deliverPush', "{ params: { id: 'unknown' } }", 'CONSUMER', 'datasource'],
])('%s is a span with its reads below it', async (name, event, kind, trigger) => {
  const collector = await startCollector();
  const settings = { FUNCTION_TARGET: name, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  // The process ends with the function, so nothing arrives later.
  await loadedBy(`await functions.${name}.run(${event});`, settings);
  const root = collector.spans.find((span) => span.parentId === '');
  expect(root).toMatchObject({ name, kind, attributes: { 'faas.trigger': trigger } });
  expect(root?.resource).toMatchObject({ 'faas.name': name });
  const reads = collector.spans.filter((span) => span.attributes['db.system.name'] === 'firestore');
  expect(reads.map(({ parentId }) => parentId)).toContain(root?.spanId);
});
