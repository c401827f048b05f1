import express from 'express';
import { expect, test, vi } from 'vitest';
import { refuse } from '../../refusals.ts';
import { serve } from '../testing/serve.ts';

/** The logger keeps the functions of the console when it is loaded, so they are replaced before. */
const { lines } = vi.hoisted(() => {
  const lines: string[] = [];
  for (const level of ['info', 'error', 'warn'] as const) {
    console[level] = (line: string) => {
      lines.push(line);
    };
  }
  return { lines };
});
const { logFault, logWarning } = await import('../../common/log.ts');
const { requestId } = await import('./request-log.ts');
const { jsonErrors } = await import('./render-error.ts');

async function logOf(thrown: unknown) {
  const app = express();
  app.use(requestId);
  app.get('/path', () => {
    throw thrown;
  });
  app.use(jsonErrors);
  lines.length = 0;
  const response = await fetch(`${await serve(app)}/path?token=secret`, {
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
  const { entries } = await logOf(refuse('busy', {}, { cause: new Error('ECONNREFUSED') }));
  expect(entries).toMatchObject([
    { severity: 'ERROR', status: 503, cause: expect.stringContaining('ECONNREFUSED') as string },
  ]);
});

test('a refusal is one short line without a stack, and no line contains query or headers', async () => {
  const { entries } = await logOf(refuse('empty_file'));
  expect(entries).toMatchObject([{ severity: 'INFO', message: '400 empty_file', path: '/path' }]);
  expect(lines.join()).not.toContain('secret');
});

test('a thrown value that is not an Error is logged as text', async () => {
  expect((await logOf('plain')).entries).toMatchObject([{ severity: 'ERROR', message: 'plain' }]);
});

test('every request has its own id', async () => {
  const [first, second] = [await logOf(refuse('busy')), await logOf(refuse('busy'))];
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

test('a warning about a refusal has the cause of the refusal', () => {
  lines.length = 0;
  logWarning('left behind', refuse('busy', {}, { cause: new Error('why') }));
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ cause: expect.stringContaining('why') as string });
});
