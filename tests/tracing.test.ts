import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createBackend } from '../functions/src/backend.ts';
import { FEATURE_HOOKS } from '../functions/src/feature-hooks/registry.ts';
import { deliverMail } from '../functions/src/mail/deliver.service.ts';
import { writeMailAlone } from '../functions/src/mail/outbox.store.ts';
import { startSmtpServer } from '../functions/src/mail/testing/smtp-server.ts';
import { deliverPush } from '../functions/src/push/deliver.service.ts';
import { startCollector, type TestCollector } from '../functions/src/tracing/testing/collector-server.ts';
import type { ReceivedSpan } from '../functions/src/tracing/testing/otlp.ts';
import { createTracing, traceRun } from '../functions/src/tracing/tracing.ts';
import { serveApp, useStack, type AppOptions, type AppUnderTest } from './support/app.ts';
import { startCloudTasks } from './support/cloud-tasks.ts';
import { testConfig } from './support/config.ts';
import { formWith, png } from './support/files.ts';
import { MESSAGE } from './support/mail-delivery.ts';
import { signUp } from './support/people.ts';
import { pushIds, usePush } from './support/push.ts';
import { call } from './support/requests.ts';
import { createTeam } from './support/teams.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

/** Serves the app with a collector, until the test ends. */
async function serveTraced(
  options: AppOptions = {},
): Promise<{ app: AppUnderTest; collector: TestCollector }> {
  const collector = await startCollector();
  const config = { ...options.config, otelExporterOtlpEndpoint: collector.url };
  const app = await serveApp({ ...options, config });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return { app, collector };
}

/** The spans below another one, as names with indentation, in the order of the first appearance. */
function treeOf(spans: readonly ReceivedSpan[], { spanId }: ReceivedSpan, indent = ''): string[] {
  return spans
    .filter(({ parentId }) => parentId === spanId)
    .flatMap((span) => [`${indent}${span.name}`, ...treeOf(spans, span, `${indent}  `)]);
}

test('a request is a span of its caller, with the calls to Firebase Auth and Firestore below it', async () => {
  const { app, collector } = await serveTraced();
  const person = await signUp();
  const response = await call('POST', `${app.url}/api/auth/teams`, {
    headers: { ...person.bearer, traceparent: `00-${TRACE}-${SPAN}-01` },
    json: { name: 'Leaked name' },
  });
  expect(response.status).toBe(201);
  const { root, others } = await collector.trace('POST /api/auth/teams');
  expect(root).toMatchObject({ kind: 'SERVER', traceId: TRACE, parentId: SPAN });
  expect(root.attributes).toMatchObject({
    'http.route': '/api/auth/teams',
    'http.response.status_code': 201,
    'hearth.request_id': response.headers.get('X-Request-Id'),
  });
  const tree = treeOf(others, root);
  expect(tree).toContain('auth getUser');
  expect(tree).toContain('transaction');
  expect(tree).toContain('  commit');
  expect(tree.filter((name) => /^ {2}(?:get|query) \w+$/.test(name)).length).toBeGreaterThan(0);
  expect(others.every(({ kind, status }) => kind === 'CLIENT' && status === 'UNSET')).toBe(true);
  const { id } = (await response.json()) as { id: string };
  const sent = JSON.stringify(collector.spans);
  for (const secret of ['Leaked', person.email, person.uid, person.idToken, id])
    expect(sent).not.toContain(secret);
});

test('a checkout has its calls to Stripe, without ids', async () => {
  const { app, collector } = await serveTraced();
  const person = await signUp();
  await call('GET', `${app.url}/api/auth/checkout/pro`, { headers: person.bearer });
  const { root, others } = await collector.trace('GET /api/auth/checkout/:slug');
  const created = others.find(({ name }) => name === 'POST /v1/checkout/sessions');
  expect(created).toMatchObject({ kind: 'CLIENT', status: 'UNSET', traceId: root.traceId });
  expect(created?.attributes).toEqual({
    'server.address': '127.0.0.1',
    'http.request.method': 'POST',
    'url.template': '/v1/checkout/sessions',
    'http.response.status_code': 200,
  });
  expect(JSON.stringify(others)).not.toMatch(/cus_|cs_test|@example|sk_test/);
  expect(others.filter(({ attributes }) => attributes['url.template']).length).toBeGreaterThanOrEqual(
    Number(root.attributes['hearth.usage.stripe']),
  );
});

test('an upload has its call to Storage', async () => {
  const { app, collector } = await serveTraced();
  const person = await signUp();
  const body = formWith(png(), 'leaked.png', 'image/png');
  const response = await fetch(`${app.url}/api/upload`, { method: 'POST', headers: person.bearer, body });
  expect(response.status).toBe(200);
  const { root, others } = await collector.trace('POST /api/upload');
  expect(treeOf(others, root)).toContain('storage store');
  expect(JSON.stringify(collector.spans)).not.toContain('leaked');
});

test('calls to Stripe that get no answer are errors, each attempt for itself', async () => {
  const { app, collector } = await serveTraced({ config: { stripeApiUrl: 'http://127.0.0.1:1' } });
  const person = await signUp();
  const response = await call('POST', `${app.url}/api/auth/checkout`, {
    headers: person.bearer,
    json: { plan: 'pro' },
  });
  expect(response.status).toBe(503);
  const { root, others } = await collector.trace('POST /api/auth/checkout');
  expect(root).toMatchObject({ status: 'ERROR', attributes: { 'error.type': 'billing_unavailable' } });
  const calls = others.filter(({ attributes }) => attributes['url.template'] !== undefined);
  expect(calls.length).toBeGreaterThan(1);
  for (const { status, attributes } of calls) {
    expect([status, attributes['error.type']]).toEqual(['ERROR', 'ECONNREFUSED']);
  }
});

test('a run that sends mail has a span for the server, without addresses', async () => {
  const smtp = await startSmtpServer();
  onTestFinished(() => smtp[Symbol.asyncDispose]());
  const { app, collector } = await serveTraced({ config: { mailSmtpUrl: smtp.url } });
  const { backend } = app;
  const id = randomUUID();
  await writeMailAlone(backend.db, { id, to: 'leaked@example.com', message: MESSAGE }, backend.now());
  await traceRun(backend.tracing, 'datasource', () => deliverMail(backend, id));
  expect(smtp.messages).toHaveLength(1);
  const { root, others } = await collector.trace('datasource');
  expect(root).toMatchObject({ kind: 'CONSUMER', parentId: '' });
  expect(treeOf(others, root).filter((name) => !name.startsWith(' '))).toEqual([
    'transaction',
    'smtp send',
    'transaction',
  ]);
  expect(JSON.stringify(collector.spans)).not.toContain('leaked');
});

test('a task that is left to a queue is a span of a producer, without its data', async () => {
  const collector = await startCollector();
  const tasks = await startCloudTasks(
    () => Promise.resolve(),
    () => new Date(),
  );
  onTestFinished(() => tasks[Symbol.asyncDispose]());
  useStack();
  vi.stubEnv('CLOUD_TASKS_EMULATOR_HOST', tasks.host);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const config = testConfig('http://127.0.0.1:1', { otelExporterOtlpEndpoint: collector.url });
  const { tracing, enqueueSeatSync } = createBackend(config, FEATURE_HOOKS);
  await traceRun(tracing, 'timer', () => enqueueSeatSync('leaked'));
  const { root, others } = await collector.trace('timer');
  expect(others).toMatchObject([
    {
      name: 'enqueue syncSeats',
      kind: 'PRODUCER',
      parentId: root.spanId,
      attributes: { 'messaging.destination.name': 'syncSeats' },
    },
  ]);
  expect(JSON.stringify(collector.spans)).not.toContain('leaked');
});

describe('a push message', () => {
  const push = usePush();

  test('is a span with the number of its devices, without their tokens', async () => {
    const collector = await startCollector();
    const { app, fcm } = push;
    const person = await signUp();
    const devices = [await push.newDevice(person.bearer), await push.newDevice(person.bearer)];
    await push.invited(person);
    const [id = ''] = await pushIds();
    const tracing = createTracing({ ...app.config, otelExporterOtlpEndpoint: collector.url });
    await traceRun(tracing, 'datasource', () => deliverPush(app.backend, id));
    expect(fcm.sent).toHaveLength(2);
    const { root, others } = await collector.trace('datasource');
    const sending = others.find(({ name }) => name === 'fcm sendEach');
    expect(sending).toMatchObject({ kind: 'CLIENT', parentId: root.spanId });
    expect(sending?.attributes['messaging.batch.message_count']).toBe(2);
    const sent = JSON.stringify(collector.spans);
    for (const secret of [person.email, person.uid, ...devices.map(({ token }) => token)])
      expect(sent).not.toContain(secret);
  });
});

test('an answer does not wait for a collector that hangs', async () => {
  const collector = await startCollector(() => undefined);
  const app = await serveApp({ config: { otelExporterOtlpEndpoint: collector.url } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const person = await signUp();
  const teamId = await createTeam(app.url, person);
  await collector.exported;
  const response = await call('GET', `${app.url}/api/auth/teams/${teamId}`, { headers: person.bearer });
  expect(response.status).toBe(200);
});
