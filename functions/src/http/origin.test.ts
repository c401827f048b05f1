import express from 'express';
import { expect, test } from 'vitest';
import { requireOwnOrigin } from './origin.ts';
import { jsonErrors } from './render-error.ts';
import { serve } from './testing/serve.ts';

test.each([
  ['https://app.example.com', 200],
  ['https://app.example.com/', 403],
  ['https://app.example.com.evil.com', 403],
  ['https://app.example.com:8443', 403],
  ['http://app.example.com', 403],
  ['https://evil.com', 403],
  ['null', 403],
  ['', 403],
  [undefined, 403],
])('a request with the Origin %s is answered %s', async (origin, status) => {
  const app = express();
  app.post('/', (request, response) => {
    requireOwnOrigin(request, 'https://app.example.com');
    response.end();
  });
  app.use(jsonErrors);
  const response = await fetch(await serve(app), {
    method: 'POST',
    headers: origin === undefined ? {} : { Origin: origin },
  });
  expect(response.status).toBe(status);
});
