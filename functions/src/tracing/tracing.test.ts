import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { traced } from '../common/span.ts';
import { refusal } from '../refusals/refusals.ts';
import { load } from '../testing/load.ts';
import { startCollector } from './testing/collector-server.ts';
import { createTracing, traceRun, type Tracing } from './tracing.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

function tracingTo(url: string, settings: Record<string, string> = {}): Tracing {
  const tracing = createTracing(load({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...settings }));
  if (tracing === undefined) throw new Error('Tracing is off.');
  return tracing;
}

/** Sets variables that the SDK reads, until the test ends. */
function stubEnvironment(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

/** Records a span with these headers. @returns false if it is not recorded */
async function recordSpan(
  tracing: Tracing,
  name: string,
  headers: IncomingHttpHeaders = {},
): Promise<boolean> {
  const span = await tracing.start({ name, kind: 'server', attributes: {}, headers });
  span?.end();
  return span !== undefined;
}

test.each([
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' },
  { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' },
])('tracing is off with the settings %j', (settings: Record<string, string>) => {
  expect(createTracing(load(settings))).toBeUndefined();
});

test.each([
  ['/v1/traces', (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url })],
  ['/base/v1/traces', (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/base/` })],
  [
    '/mine',
    (url: string) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/mine`,
    }),
  ],
])('traces are posted to %s', async (path, settings) => {
  const collector = await startCollector();
  const tracing = tracingTo(collector.url, settings(collector.url));
  await recordSpan(tracing, 'work');
  await tracing.flush();
  expect(collector.exports.map((received) => received.path)).toEqual([path]);
});

test('the SDK reads its own variables', async () => {
  stubEnvironment({
    OTEL_SERVICE_NAME: 'shop',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,cloud.region=moon',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=secret',
  });
  const collector = await startCollector();
  const tracing = tracingTo(collector.url);
  await recordSpan(tracing, 'work');
  await tracing.flush();
  expect(collector.exports[0]?.headers).toMatchObject({ 'x-api-key': 'secret' });
  expect(collector.spans[0]?.resource).toMatchObject({
    'service.name': 'shop',
    'deployment.environment.name': 'test',
    'cloud.region': 'moon',
    'cloud.provider': 'gcp',
  });
});

test('the resource names the project and the function', async () => {
  stubEnvironment({ GCLOUD_PROJECT: 'acme-1', FUNCTION_TARGET: 'api', K_REVISION: 'api-00007' });
  const collector = await startCollector();
  const tracing = tracingTo(collector.url, { REGION: 'europe-west1' });
  await recordSpan(tracing, 'work');
  await tracing.flush();
  expect(collector.spans[0]?.resource).toEqual({
    'service.name': expect.stringMatching(/^[\p{L}\p{N}-]+$/u) as string,
    'cloud.provider': 'gcp',
    'cloud.platform': 'gcp_cloud_functions',
    'cloud.region': 'europe-west1',
    'gcp.project_id': 'acme-1',
    'cloud.account.id': 'acme-1',
    'faas.name': 'api',
    'faas.version': 'api-00007',
  });
});

describe('the parent of a span', () => {
  const SPAN = '00f067aa0ba902b7';

  test.each<[string, IncomingHttpHeaders, traceId: string, parentId: string]>([
    ['traceparent', { traceparent: `00-${TRACE}-${SPAN}-01` }, TRACE, SPAN],
    ['X-Cloud-Trace-Context', { 'x-cloud-trace-context': `${TRACE}/67667974448284343;o=1` }, TRACE, SPAN],
    [
      'traceparent before X-Cloud-Trace-Context',
      { traceparent: `00-${TRACE}-${SPAN}-01`, 'x-cloud-trace-context': `${'a'.repeat(32)}/1;o=1` },
      TRACE,
      SPAN,
    ],
    [
      'X-Cloud-Trace-Context if traceparent is malformed',
      { traceparent: 'x', 'x-cloud-trace-context': `${TRACE}/18446744073709551615;o=1` },
      TRACE,
      'f'.repeat(16),
    ],
  ])('is the span of %s', async (_case, headers, traceId, parentId) => {
    const collector = await startCollector();
    const tracing = tracingTo(collector.url);
    await recordSpan(tracing, 'work', headers);
    await tracing.flush();
    expect(collector.spans).toMatchObject([{ traceId, parentId }]);
  });

  test.each<[string, IncomingHttpHeaders]>([
    ['without headers', {}],
    ['with malformed headers', { traceparent: `00-${TRACE}-01`, 'x-cloud-trace-context': `${TRACE};o=1` }],
    ['with ids of zeros', { traceparent: `00-${'0'.repeat(32)}-${SPAN}-01` }],
    ['with a span id of zero', { 'x-cloud-trace-context': `${TRACE}/0;o=1` }],
  ])('does not exist %s', async (_case, headers) => {
    const collector = await startCollector();
    const tracing = tracingTo(collector.url);
    await recordSpan(tracing, 'work', headers);
    await tracing.flush();
    expect(collector.spans).toMatchObject([{ parentId: '' }]);
    expect(collector.spans[0]?.traceId).not.toBe(TRACE);
  });

  test.each<[string, IncomingHttpHeaders]>([
    ['traceparent', { traceparent: `00-${TRACE}-${SPAN}-00` }],
    ['X-Cloud-Trace-Context', { 'x-cloud-trace-context': `${TRACE}/1;o=0` }],
    ['X-Cloud-Trace-Context without options', { 'x-cloud-trace-context': `${TRACE}/1` }],
  ])('that is not sampled by %s is not recorded', async (_case, headers) => {
    expect(await recordSpan(tracingTo('http://127.0.0.1:1'), 'work', headers)).toBe(false);
  });
});

describe('the sampler', () => {
  const sampled = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
  const unsampled = { traceparent: `00-${TRACE}-00f067aa0ba902b7-00` };

  test.each([
    // With a sampled parent, with an unsampled one, without a parent.
    ['always_on', '1', [true, true, true]],
    ['always_off', '1', [false, false, false]],
    ['traceidratio', '0', [false, false, false]],
    ['traceidratio', '1.0', [true, true, true]],
    ['parentbased_always_on', '1', [true, false, true]],
    ['parentbased_always_off', '1', [true, false, false]],
    ['parentbased_traceidratio', '0', [true, false, false]],
  ])('%s with %s', async (name, ratio, recorded) => {
    const settings = { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio };
    const tracing = tracingTo((await startCollector()).url, settings);
    const results = [];
    for (const headers of [sampled, unsampled, {}]) results.push(await recordSpan(tracing, 'work', headers));
    expect(results).toEqual(recorded);
  });
});

describe('the run of a trigger', () => {
  test.each([
    ['timer', 'INTERNAL'],
    ['datasource', 'CONSUMER'],
    ['pubsub', 'CONSUMER'],
  ] as const)('by %s is a root span of kind %s, exported before its end', async (trigger, kind) => {
    stubEnvironment({ FUNCTION_TARGET: 'sweepTeams' });
    const collector = await startCollector();
    await traceRun(tracingTo(collector.url), trigger, () =>
      traced(
        () => ({ name: 'inner', kind: 'client', attributes: { 'peer.service': 'x' } }),
        () => Promise.resolve(),
      ),
    );
    const [inner, root] = collector.spans;
    expect(root).toMatchObject({
      name: 'sweepTeams',
      kind,
      parentId: '',
      attributes: { 'faas.trigger': trigger },
    });
    expect(inner).toMatchObject({
      name: 'inner',
      kind: 'CLIENT',
      traceId: root?.traceId,
      parentId: root?.spanId,
    });
  });

  test.each<[unknown, string, Record<string, string>]>([
    [Object.assign(new Error('ann@example.com'), { code: 14 }), 'ERROR', { 'error.type': '14' }],
    [Object.assign(new Error('ann@example.com'), { code: 'auth/x' }), 'ERROR', { 'error.type': 'auth/x' }],
    [Object.assign(new Error('x'), { code: 'to ann@example.com' }), 'ERROR', { 'error.type': 'Error' }],
    [new TypeError('ann@example.com'), 'ERROR', { 'error.type': 'TypeError' }],
    ['ann@example.com', 'ERROR', { 'error.type': 'string' }],
    [refusal('busy'), 'ERROR', { 'error.type': 'busy' }],
    [refusal('team_not_found'), 'UNSET', {}],
  ])(
    'that throws %j throws it, and the span has the kind of the error',
    async (thrown, status, attributes) => {
      const collector = await startCollector();
      const run = traceRun(tracingTo(collector.url), 'timer', async () => {
        await Promise.resolve();
        throw thrown;
      });
      await expect(run).rejects.toBe(thrown);
      expect(collector.spans).toMatchObject([{ status }]);
      expect(collector.spans[0]?.attributes).toEqual({ 'faas.trigger': 'timer', ...attributes });
    },
  );

  test('runs without tracing', async () => {
    const work = vi.fn(() => Promise.resolve());
    await traceRun(undefined, 'timer', work);
    expect(work).toHaveBeenCalledOnce();
  });

  test('ends although the collector never answers', async () => {
    const collector = await startCollector(() => undefined);
    const tracing = tracingTo(collector.url);
    await traceRun(tracing, 'timer', () => Promise.resolve(), 50);
    let isExported = false;
    void tracing.flush().then(() => {
      isExported = true;
    });
    // The export is still under way, so another one waits for it.
    await setImmediate();
    expect(isExported).toBe(false);
  });

  test.each([
    ['refuses connections', () => Promise.resolve('http://127.0.0.1:1')],
    ['answers 500', async () => (await startCollector((response) => response.writeHead(500).end())).url],
  ])('ends well if the collector %s', async (_case, urlOf) => {
    const work = vi.fn(() => Promise.resolve());
    await traceRun(tracingTo(await urlOf()), 'timer', work, 50);
    expect(work).toHaveBeenCalledOnce();
  });
});

test('work is not described without a span under way', async () => {
  const describe = vi.fn();
  expect(await traced(describe, (span) => Promise.resolve(span ?? 'no span'))).toBe('no span');
  expect(describe).not.toHaveBeenCalled();
});
