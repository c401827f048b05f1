import express from 'express';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { MAX_JSON_BYTES, receiveBody } from './body.ts';
import { jsonErrors } from './errors/render-error.ts';
import { serveAsFunction } from './testing/serve.ts';
import { validate, validateBody } from './validate.ts';

const schema = z.strictObject({ name: z.string().min(1), role: z.enum(['a', 'b']).optional() });

async function post(body: string, contentType = 'application/json') {
  const app = express();
  app.post('/', receiveBody(MAX_JSON_BYTES), (request, response) => {
    const value = validateBody(schema, request);
    response.json({ value, polluted: 'polluted' in {} });
  });
  app.use(jsonErrors);
  const response = await fetch(await serveAsFunction(app), {
    method: 'POST',
    body: Buffer.from(body),
    headers: { 'Content-Type': contentType },
  });
  const answer = (await response.json()) as { value?: unknown; error?: string; polluted?: boolean };
  return { status: response.status, ...answer };
}

test('a body that fits is passed on', async () => {
  expect(await post('{"name":"n"}')).toEqual({ status: 200, value: { name: 'n' }, polluted: false });
  expect(await post('{"name":"n"}', 'application/json; charset=utf-8')).toMatchObject({ status: 200 });
});

describe('400 for a body', () => {
  test.each([
    ['that is an array', '[]'],
    ['that is an array of what fits', '[{"name":"n"}]'],
    ['that is empty', '{}'],
    ['with a wrong type', '{"name":1}'],
    ['with null', '{"name":null}'],
    ['with an unknown key', '{"name":"n","admin":true}'],
    ['with __proto__', '{"name":"n","__proto__":{"polluted":true}}'],
    ['with constructor', '{"name":"n","constructor":{"prototype":{"polluted":true}}}'],
    ['whose field comes by __proto__ only', '{"__proto__":{"name":"n"}}'],
  ])('%s', async (_case, body) => {
    expect(await post(body)).toMatchObject({ status: 400, error: expect.any(String) as string });
    expect('polluted' in {}).toBe(false);
  });

  test('that names each wrong field', () => {
    const attempt = () => validate(schema, { name: '', role: 'c' });
    expect(attempt).toThrow(expect.objectContaining({ status: 400 }) as Error);
    expect(attempt).toThrow(/name: .*role: /);
    const fields = { name: expect.any(String) as string, role: expect.any(String) as string };
    expect(attempt).toThrow(expect.objectContaining({ fields }) as Error);
  });
});

test('an answer names at most 20 problems', () => {
  const attempt = () => validate(z.array(z.string()), new Array(1000).fill(0));
  expect(attempt).toThrow(
    expect.objectContaining({
      fields: expect.toSatisfy((fields: object) => Object.keys(fields).length === 20) as object,
    }) as Error,
  );
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/json',
])('a body sent as %s is 415: another site could send it without a preflight', async (contentType) => {
  expect(await post('{"name":"n"}', contentType)).toMatchObject({ status: 415 });
});

test('an empty body is 400', async () => {
  expect(await post('')).toMatchObject({ status: 400 });
});

test('64 KiB of JSON are accepted, a byte more is 413', async () => {
  const sized = (bytes: number) => `{"name":"n"}${' '.repeat(bytes - '{"name":"n"}'.length)}`;
  expect(await post(sized(65_536))).toMatchObject({ status: 200 });
  expect(await post(sized(65_537))).toMatchObject({ status: 413 });
});
