import express from 'express';
import { expect, test } from 'vitest';
import { serve } from '../testing/serve.ts';
import { clientIpsOf } from './client-ip.ts';

async function addressesWith(forwarded: string): Promise<unknown> {
  const origin = await serve(
    express().get('/', (request, response) => {
      response.json(clientIpsOf(request));
    }),
  );
  const response = await fetch(origin, { headers: forwarded === '' ? {} : { 'X-Forwarded-For': forwarded } });
  return response.json();
}

test.each([
  ['203.0.113.9', { clientAndHop: '203.0.113.9' }],
  ['198.51.100.1, 203.0.113.9', { clientAndHop: '198.51.100.1|203.0.113.9', hop: '203.0.113.9' }],
  ['forged, 198.51.100.1, 203.0.113.9', { clientAndHop: '198.51.100.1|203.0.113.9', hop: '203.0.113.9' }],
  ['forged, 203.0.113.9', { clientAndHop: 'unknown|203.0.113.9', hop: '203.0.113.9' }],
  ['2001:db8:1:2:3:4:5:6', { clientAndHop: '8193:3512:1:2' }],
  ['2001:db8:1:2:ffff::1', { clientAndHop: '8193:3512:1:2' }],
  ['::ffff:203.0.113.9', { clientAndHop: '203.0.113.9' }],
  ['', { clientAndHop: '127.0.0.1' }],
])('a request forwarded for "%s" is counted under %o', async (forwarded, addresses) => {
  expect(await addressesWith(forwarded)).toEqual(addresses);
});
