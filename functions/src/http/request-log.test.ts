import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';
import { onRequest } from 'firebase-functions/https';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { refusal } from '../refusals/refusals.ts';
import { serve } from './testing/serve.ts';

/** The logger keeps the functions of the console when it is loaded, so they are replaced before. */
const { lines, heard } = vi.hoisted(() => {
  const lines: string[] = [];
  const heard: { line: (line: string) => void } = { line: () => undefined };
  for (const level of ['info', 'error', 'warn'] as const) {
    console[level] = (line: string) => {
      lines.push(line);
      heard.line(line);
    };
  }
  return { lines, heard };
});
const { logFault, logIfFailed, logWarning } = await import('../common/log.ts');
const { DamagedDocument, logIfDamaged, skipIfDamaged } = await import('../firestore/damage.ts');
const { error } = await import('firebase-functions/logger');
const { addCost } = await import('../common/costs.ts');
const { costCounter, requestId, logRequests } = await import('./request-log.ts');
const { jsonErrors } = await import('./errors/render-error.ts');
const { traceRequests } = await import('./server-span.ts');
const { createTracing } = await import('../tracing/tracing.ts');
const { startCollector } = await import('../tracing/testing/collector-server.ts');
const { load } = await import('../testing/load.ts');

async function logOf(thrown: unknown, path = '/path') {
  const app = express();
  app.use(requestId);
  app.get('/{*path}', () => {
    throw thrown;
  });
  app.use(jsonErrors);
  lines.length = 0;
  const response = await fetch(`${await serve(app)}${path}?token=secret`, {
    headers: { Authorization: 'Bearer secret' },
  });
  return {
    id: response.headers.get('X-Request-Id'),
    entries: lines.map((line) => JSON.parse(line) as unknown),
  };
}

test('a fault is logged as an error with its stack and the id of the request', async () => {
  const { id, entries } = await logOf(new TypeError('the fault'));
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(entries).toEqual([
    {
      severity: 'ERROR',
      message: expect.stringMatching(/^TypeError: the fault\n\s+at .*request-log\.test\.ts/) as string,
      requestId: id,
      method: 'GET',
      path: '/path',
      status: 500,
      code: 'internal',
    },
  ]);
});

test('a 503 is logged with its cause', async () => {
  const { entries } = await logOf(refusal('busy', {}, { cause: new Error('ECONNREFUSED') }));
  expect(entries).toMatchObject([
    { severity: 'ERROR', status: 503, cause: expect.stringContaining('ECONNREFUSED') as string },
  ]);
});

test('a refusal is one short line without a stack, and no line contains query or headers', async () => {
  const { entries } = await logOf(refusal('empty_file'));
  expect(entries).toMatchObject([{ severity: 'INFO', message: '400 empty_file', path: '/path' }]);
  expect(lines.join()).not.toContain('secret');
});

test.each([`.${'b'.repeat(40)}`, `%2E${'b'.repeat(40)}`, `.%62${'b'.repeat(38)}%62`, `.${'b'.repeat(41)}`])(
  'the secret of an invitation link in the path is not logged: %s',
  async (secret) => {
    const id = 'a'.repeat(40);
    const { entries } = await logOf(refusal('no_seat'), `/api/auth/invitations/${id}${secret}/accept`);
    expect(entries).toMatchObject([{ path: `/api/auth/invitations/${id}.…/accept` }]);
  },
);

test('a secret is not logged with encoded characters after it', async () => {
  const { entries } = await logOf(refusal('no_seat'), `/api/auth/invitations/a.${'b'.repeat(40)}%22/accept`);
  expect(entries).toMatchObject([{ path: expect.not.stringContaining('bb') as string }]);
});

describe('a refusal for a rate limit', () => {
  async function lineOfLimit({ client, uid }: { client: string; uid?: string }): Promise<unknown> {
    const app = express();
    app.use(requestId);
    app.get('/', (_request, response) => {
      if (uid !== undefined) response.locals['caller'] = { uid };
      throw refusal('rate_limit_reached', { wait: 1 });
    });
    app.use(jsonErrors);
    lines.length = 0;
    await fetch(await serve(app), { headers: { 'X-Forwarded-For': client } });
    const { uid: named, client: from } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
    return { uid: named, client: from };
  }

  test('names the user, once in a minute', async () => {
    const ask = (uid: string) => lineOfLimit({ client: '192.0.2.1', uid });
    expect(await ask('limited-1')).toEqual({ uid: 'limited-1', client: undefined });
    expect(await ask('limited-1')).toEqual({ uid: undefined, client: undefined });
    expect(await ask('limited-2')).toEqual({ uid: 'limited-2', client: undefined });
  });

  test('names the address of a client without a user, and the address from which Google received it', async () => {
    const ask = (client: string) => lineOfLimit({ client });
    expect(await ask('192.0.2.2, 203.0.113.9')).toEqual({ uid: undefined, client: '192.0.2.2|203.0.113.9' });
    expect(await ask('192.0.2.2, 203.0.113.9')).toEqual({ uid: undefined, client: undefined });
    expect(await ask('192.0.2.3')).toEqual({ uid: undefined, client: '192.0.2.3' });
  });
});

test('no other refusal names its sender', async () => {
  const { entries } = await logOf(refusal('busy'));
  expect(Object.keys(entries[0] ?? {})).not.toContain('client');
});

test('a thrown value that is not an Error is logged as text', async () => {
  expect((await logOf('plain')).entries).toMatchObject([{ severity: 'ERROR', message: 'plain' }]);
});

test('every request has its own id', async () => {
  const [first, second] = [await logOf(refusal('busy')), await logOf(refusal('busy'))];
  expect(first.id).not.toBe(second.id);
});

test('a warning has the cause', () => {
  lines.length = 0;
  logWarning('left behind', new Error('why'));
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    severity: 'WARNING',
    message: 'left behind',
    cause: expect.stringContaining('why') as string,
  });
});

test('a fault is an error with the ids that it concerns and the cause', () => {
  lines.length = 0;
  logFault('out of order', { uid: 'u1' }, new Error('why'));
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    severity: 'ERROR',
    message: 'out of order',
    uid: 'u1',
    cause: expect.stringContaining('why') as string,
  });
});

test.each([
  [
    'a refusal has its code and the path of the damaged document',
    new DamagedDocument('users/abc', 'no name'),
    { code: 'document_damaged', cause: expect.stringContaining('users/abc is damaged: no name') as string },
  ],
  ['an error without a cause has none', new Error('why'), { cause: undefined, code: undefined }],
  ['a thrown value is logged as text', 'why', { message: 'why' }],
])('a run that fails is logged and still fails: %s', async (_what, thrown, expected) => {
  lines.length = 0;
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- any value can be thrown
  await expect(logIfFailed(() => Promise.reject(thrown))).rejects.toBe(thrown);
  const { cause, code, ...entry } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  expect({ cause, code, ...entry }).toMatchObject({ severity: 'ERROR', ...expected });
});

test('a warning about a refusal has the cause of the refusal', () => {
  lines.length = 0;
  logWarning('left behind', refusal('busy', {}, { cause: new Error('why') }));
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ cause: expect.stringContaining('why') as string });
});

describe('the alert about damaged documents finds', () => {
  const [, filter = ''] =
    /"filter": "(.*)"/.exec(
      readFileSync(new URL('../../../monitoring/alerts/damaged-documents.json', import.meta.url), 'utf8'),
    ) ?? [];
  const wanted = Array.from(
    filter.matchAll(/jsonPayload\.(\w+):\\"([^"\\]+)\\"/g),
    ([, field = '', text = '']) => ({
      field,
      text,
    }),
  );
  const damaged = new DamagedDocument('users/abc', 'no name');

  test.each<[what: string, log: () => unknown]>([
    ['a request', () => logOf(damaged)],
    ['an event or a schedule', () => logIfFailed(() => Promise.reject(damaged)).catch(() => undefined)],
    [
      'a task, whose wrapper logs the error',
      () => {
        error('Unhandled error', damaged);
      },
    ],
    ['a sync that stops', () => skipIfDamaged(() => Promise.reject(damaged))],
    [
      'work that goes on',
      () => {
        logIfDamaged(damaged);
      },
    ],
    [
      'an event that is not repeated',
      () => {
        logFault('Not handled', { path: 'a' }, damaged.cause);
      },
    ],
  ])('the line of %s', async (_what, log) => {
    lines.length = 0;
    await log();
    const entry = JSON.parse(lines[0] ?? '') as Record<string, string>;
    expect(wanted.filter(({ field, text }) => entry[field]?.includes(text))).not.toEqual([]);
  });
});

test('a successful request for the health of the service writes no line, and a failed one does', async () => {
  const app = express();
  let status = 200;
  app.use(requestId, costCounter, logRequests([{ id: 'getHealth', method: 'get', path: '/health' }]));
  app.get('/health', (_request, response) => {
    response.status(status).end();
  });
  const origin = await serve(app);
  lines.length = 0;
  await fetch(`${origin}/health`);
  status = 503;
  const line = new Promise<string>((resolve) => {
    heard.line = resolve;
  });
  await fetch(`${origin}/health`);
  expect(JSON.parse(await line)).toMatchObject({ message: 'getHealth 503' });
  expect(lines).toHaveLength(1);
});

describe('the line of a request', () => {
  interface Sending {
    method?: string;
    headers?: Record<string, string>;
    caller?: object;
    tracing?: RequestHandler | undefined;
  }

  /** Sends a request to an app with one route, as a deployed function. */
  async function lineOf(path: string, { method = 'GET', headers = {}, caller, tracing }: Sending = {}) {
    const app = express();
    app.use(requestId, costCounter);
    if (tracing !== undefined) app.use(tracing);
    app.use(logRequests([{ id: 'getThing', method: 'get', path: '/things/{id}' }]));
    app.get('/things/:id', async (_request, response) => {
      addCost('reads', 2);
      await Promise.resolve();
      addCost('stripe');
      response.locals['caller'] = caller;
      response.status(201).send('done');
    });
    const logged = Promise.withResolvers<Record<string, unknown>>();
    heard.line = (line) => {
      logged.resolve(JSON.parse(line) as Record<string, unknown>);
    };
    const origin = await serve(
      onRequest((request, response) => {
        app(request, response);
      }) as unknown as RequestListener,
    );
    await fetch(origin + path, { method, headers });
    return logged.promise;
  }

  test('has the route, the status, the time, the caller and the costs, but no path, query or header', async () => {
    const line = await lineOf('/things/secret?token=secret', {
      headers: { Authorization: 'Bearer secret' },
    });
    expect(line).toMatchObject({
      severity: 'INFO',
      message: 'getThing 201',
      route: 'getThing',
      method: 'GET',
      status: 201,
      milliseconds: expect.any(Number) as number,
      caller: 'nobody',
      costs: { reads: 2, writes: 0, deletes: 0, auth: 0, stripe: 1 },
    });
    expect(JSON.stringify(line)).not.toContain('secret');
    expect(line).not.toHaveProperty('aborted');
  });

  test.each([
    [{ isAnonymous: false }, 'user'],
    [{ isAnonymous: true }, 'anonymous'],
    [{ isAnonymous: false, impersonatedBy: { operatorId: 'o' } }, 'operator'],
  ])('names the kind of the caller %j: %s', async (caller, kind) => {
    expect(await lineOf('/things/1', { caller })).toMatchObject({ caller: kind });
  });

  test('names the route of GET for HEAD', async () => {
    const line = await lineOf('/things/1', { method: 'HEAD' });
    expect(line).toMatchObject({ message: 'getThing 201', route: 'getThing', method: 'HEAD' });
  });

  test('names no route for an unknown path', async () => {
    expect(await lineOf('/nothing')).toMatchObject({ route: 'unknown', status: 404 });
  });

  test.each([
    ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    ['X-Cloud-Trace-Context', '4bf92f3577b34da6a3ce929d0e0e4736/67667974448284343;o=1'],
  ])('belongs to the trace of %s', async (name, value) => {
    vi.stubEnv('GCLOUD_PROJECT', 'acme-1');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    expect(await lineOf('/things/1', { headers: { [name]: value } })).toMatchObject({
      'logging.googleapis.com/trace': 'projects/acme-1/traces/4bf92f3577b34da6a3ce929d0e0e4736',
    });
  });

  test.each<[string, Record<string, string>]>([
    ['without headers', {}],
    ['with traceparent', { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }],
    [
      'with headers of two traces',
      {
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        'X-Cloud-Trace-Context': 'ffffffffffffffffffffffffffffffff/1;o=1',
      },
    ],
  ])('has the trace and the span of the request %s, if tracing is on', async (_case, headers) => {
    vi.stubEnv('GCLOUD_PROJECT', 'acme-1');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const collector = await startCollector();
    const tracing = createTracing(load({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }));
    const line = await lineOf('/things/1', { headers, tracing: tracing && traceRequests(tracing) });
    const { root } = await collector.trace('GET /things/:id');
    expect(line).toMatchObject({
      'logging.googleapis.com/trace': `projects/acme-1/traces/${root.traceId}`,
      'logging.googleapis.com/spanId': root.spanId,
      requestId: root.attributes['hearth.request_id'],
    });
  });
});
