import express from 'express';
import { expect, test } from 'vitest';
import { addCost } from '../common/costs.ts';
import { refusal } from '../refusals/refusals.ts';
import { load } from '../testing/load.ts';
import { startCollector, type TestCollector } from '../tracing/testing/collector-server.ts';
import { createTracing } from '../tracing/tracing.ts';
import { jsonErrors } from './errors/render-error.ts';
import { costCounter, requestId } from './request-log.ts';
import { traceRequests } from './server-span.ts';
import { serve } from './testing/serve.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

/** Serves a small app whose requests are traced. */
async function start(collector: TestCollector): Promise<string> {
  const tracing = createTracing(load({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }));
  if (tracing === undefined) throw new Error('Tracing is off.');
  const app = express();
  app.use(requestId, costCounter, traceRequests(tracing));
  app.get('/things/:id', (_request, response) => {
    addCost('reads', 2);
    response.status(404).send('none');
  });
  app.get('/outage', () => {
    throw refusal('busy');
  });
  app.get('/broken', (_request, response) => {
    response.status(500).end();
  });
  app.use(jsonErrors);
  return serve(app);
}

test('a request is a span with its route, its status and its usage', async () => {
  const collector = await startCollector();
  const origin = await start(collector);
  const response = await fetch(`${origin}/things/1`, { headers: { 'X-Forwarded-Proto': 'https' } });
  const { root } = await collector.trace('GET /things/:id');
  expect(root).toMatchObject({ kind: 'SERVER', status: 'UNSET', parentId: '' });
  expect(root.attributes).toEqual({
    'http.request.method': 'GET',
    'url.scheme': 'https',
    'faas.trigger': 'http',
    'http.route': '/things/:id',
    'url.path': '/things/:id',
    'http.response.status_code': 404,
    'hearth.request_id': response.headers.get('X-Request-Id'),
    'hearth.usage.reads': 2,
    'hearth.usage.writes': 0,
    'hearth.usage.deletes': 0,
    'hearth.usage.auth': 0,
    'hearth.usage.stripe': 0,
  });
});

test('a request belongs to the span of its caller', async () => {
  const collector = await startCollector();
  const origin = await start(collector);
  await fetch(`${origin}/things/1`, { headers: { traceparent: `00-${TRACE}-${SPAN}-01` } });
  const { root } = await collector.trace('GET /things/:id');
  expect(root).toMatchObject({ traceId: TRACE, parentId: SPAN });
});

test('a request that its caller does not sample is not exported', async () => {
  const collector = await startCollector();
  const origin = await start(collector);
  await fetch(`${origin}/things/1`, { headers: { traceparent: `00-${TRACE}-${SPAN}-00` } });
  await fetch(`${origin}/outage`);
  await collector.trace('GET /outage');
  expect(collector.spans.map(({ name }) => name)).toEqual(['GET /outage']);
});

test.each([
  ['/outage', 'busy'],
  ['/broken', '500'],
])('the failure of %s is the error %s', async (path, type) => {
  const collector = await startCollector();
  const origin = await start(collector);
  await fetch(origin + path);
  const { root } = await collector.trace(`GET ${path}`);
  expect(root).toMatchObject({ status: 'ERROR', attributes: { 'error.type': type } });
});

test('no span has the path, the query, the headers or the IP address of a request', async () => {
  const collector = await startCollector();
  const origin = await start(collector);
  const headers = { Authorization: 'Bearer leaked', Cookie: '__session=leaked', 'User-Agent': 'leaked' };
  await fetch(`${origin}/things/leaked?token=leaked&email=leaked@example.com`, { headers });
  await fetch(`${origin}/unknown/leaked`, { headers });
  await collector.trace('GET');
  const sent = JSON.stringify(collector.spans);
  expect(sent).not.toContain('leaked');
  expect(sent).not.toContain('127.0.0.1');
});

test.each([
  ['never answers', () => undefined],
  [
    'answers 500',
    (response: { statusCode: number; end: () => unknown }) => {
      response.statusCode = 500;
      response.end();
    },
  ],
])('requests are answered while a collector %s', async (_case, answer) => {
  const collector = await startCollector(answer);
  const origin = await start(collector);
  expect((await fetch(`${origin}/things/1`)).status).toBe(404);
  await collector.exported;
  expect((await fetch(`${origin}/things/2`)).status).toBe(404);
});

test('requests are answered while the collector refuses connections', async () => {
  const collector = await startCollector();
  const origin = await start({ ...collector, url: 'http://127.0.0.1:1' });
  for (const id of [1, 2]) expect((await fetch(`${origin}/things/${id}`)).status).toBe(404);
});
