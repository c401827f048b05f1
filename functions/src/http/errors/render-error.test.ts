import express, { type ErrorRequestHandler } from 'express';
import { describe, expect, test } from 'vitest';
import { refuse, type Refusal } from '../../refusals.ts';
import { htmlErrors, jsonErrors, uploadErrors } from './render-error.ts';
import { serve } from '../testing/serve.ts';

async function answerTo(thrown: unknown, handler: ErrorRequestHandler) {
  const app = express();
  app.get('/', () => {
    throw thrown;
  });
  app.use(handler);
  const response = await fetch(await serve(app));
  return { status: response.status, headers: response.headers, body: await response.text() };
}

const SECRET = 'sk_live_leaked';
const HANDLERS: [string, ErrorRequestHandler][] = [
  ['jsonErrors', jsonErrors],
  ['uploadErrors', uploadErrors],
  ['htmlErrors', htmlErrors],
];

describe.each(HANDLERS)('%s', (_name, handler) => {
  test.each([
    ['an Error', new Error(SECRET)],
    ['an error with a status of its own', Object.assign(new Error(SECRET), { status: 404, expose: true })],
    ['text', SECRET],
    ['undefined', undefined],
    ['an object', { message: SECRET, status: 400 }],
  ])('a thrown %s is 500 without internal details', async (_case, thrown) => {
    const { status, body, headers } = await answerTo(thrown, handler);
    // Express takes `throw undefined` for no error at all, and finds no further handler.
    expect(status).toBe(thrown === undefined ? 404 : 500);
    expect(body + JSON.stringify([...headers])).not.toMatch(/sk_live|\.ts|node_modules|at /);
  });

  test('a refusal keeps its status and headers', async () => {
    const { status, headers } = await answerTo(refuse('method_not_allowed', { allowed: 'GET' }), handler);
    expect(status).toBe(405);
    expect(headers.get('Allow')).toBe('GET');
  });

  test('the cause of a refusal is not in the answer', async () => {
    const { status, body } = await answerTo(refuse('busy', {}, { cause: new Error(SECRET) }), handler);
    expect(status).toBe(503);
    expect(body).not.toContain(SECRET);
  });
});

test.each(['app/network-error', 'app/network-timeout', 'auth/internal-error'])(
  'an error of Firebase Auth (%s) is 503 and can be retried',
  async (code) => {
    const { status, body } = await answerTo(Object.assign(new Error(SECRET), { code }), jsonErrors);
    expect(status).toBe(503);
    expect(JSON.parse(body)).toEqual({
      error: 'Sign-in is not available right now.',
      code: 'auth_unavailable',
    });
  },
);

test('jsonErrors answers a message and a code', async () => {
  expect(JSON.parse((await answerTo(refuse('plan_not_found'), jsonErrors)).body)).toEqual({
    error: 'There is no such plan.',
    code: 'plan_not_found',
  });
});

test('jsonErrors answers the problem of each wrong field', async () => {
  const fields = { name: 'is too long' };
  const refusal = refuse('invalid_request', { reason: 'name: is too long' }, { fields });
  expect(JSON.parse((await answerTo(refusal, jsonErrors)).body)).toEqual({
    error: 'name: is too long',
    code: 'invalid_request',
    fields,
  });
  const whole = refuse('invalid_request', { reason: 'Send a list.' }, { fields: {} });
  expect(JSON.parse((await answerTo(whole, jsonErrors)).body)).not.toHaveProperty('fields');
});

test.each([
  [refuse('unsupported_media_type', { reason: 'Not this kind.' }), 'Not this kind.'],
  [refuse('internal'), 'Failed to upload file'],
  [refuse('storage_unavailable'), 'Failed to upload file'],
] satisfies [Refusal, string][])('uploadErrors answers $code with one field', async (refusal, error) => {
  const { body, headers } = await answerTo(refusal, uploadErrors);
  expect(JSON.parse(body)).toEqual({ error });
  expect(headers.get('Content-Type')).toMatch(/^application\/json/);
});

test('htmlErrors answers an escaped fragment', async () => {
  const { status, body, headers } = await answerTo(
    refuse('invalid_request', { reason: '<img src=x> & co' }),
    htmlErrors,
  );
  expect(status).toBe(400);
  expect(headers.get('Content-Type')).toMatch(/^text\/html; charset=utf-8/);
  expect(body).toMatch(/^<h3>&lt;img src=x&gt; &amp; co<\/h3>\s*<p>/);
});

test('a malformed address is 400', async () => {
  const app = express();
  app.get('/:slug', (_request, response) => {
    response.end();
  });
  app.use(jsonErrors);
  const response = await fetch(`${await serve(app)}/%ff`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'invalid_request' });
});

test('an answer that has begun is aborted, so that it does not look complete', async () => {
  const app = express();
  app.get('/', (_request, response) => {
    response.write('half');
    throw new Error(SECRET);
  });
  app.use(jsonErrors);
  await expect(fetch(await serve(app)).then((response) => response.text())).rejects.toThrow();
});
