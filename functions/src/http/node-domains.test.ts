import domain from 'node:domain';
import { setImmediate } from 'node:timers/promises';
import express from 'express';
import { afterEach, expect, test } from 'vitest';
import { skipNodeDomains } from './node-domains.ts';
import { serveAsFunction } from './testing/serve.ts';

const { create } = domain;
afterEach(() => {
  Object.assign(domain, { create });
});

/** Whether the framework serves a request in a domain, before and after the handler has waited. */
async function domainsOfRequest(): Promise<unknown> {
  const isInDomain = () => 'domain' in process && process.domain instanceof domain.Domain;
  const app = express().get('/', async (_request, response) => {
    const before = isInDomain();
    await setImmediate();
    response.json([before, isInDomain()]);
  });
  return (await fetch(await serveAsFunction(app))).json();
}

test('the framework serves a request in a domain', async () => {
  expect(await domainsOfRequest()).toEqual([true, true]);
});

test('after skipNodeDomains the framework serves a request without a domain', async () => {
  skipNodeDomains();
  expect(await domainsOfRequest()).toEqual([false, false]);
});
