import express from 'express';
import { describe, expect, test } from 'vitest';
import { isOwnOrigin } from '../common/own-origin.ts';
import type { Config } from '../settings/config.ts';
import { jsonErrors } from './errors/render-error.ts';
import { ownOriginOf, unknownOriginGuard, requireOwnOrigin } from './origin.ts';
import { serve } from './testing/serve.ts';

const config = {
  appUrl: 'https://app.example.com',
  ownOrigins: ['https://www.example.com'],
  hostingSites: ['hearth', 'second-site'],
  previewChannels: true,
  allowedOrigins: ['https://partner.example.com', 'capacitor://localhost'],
} as unknown as Config;

const OWN = [
  'https://app.example.com',
  'https://www.example.com',
  'https://hearth.web.app',
  'https://hearth.firebaseapp.com',
  'https://second-site.web.app',
];

const PREVIEWS = [
  'https://hearth--pr42-a1b2c3d4.web.app',
  'https://hearth--new-page-a1b2c3d4.web.app',
  'https://second-site--x-a1b2c3d4.web.app',
];

const FOREIGN = [
  'https://app.example.com/',
  'https://app.example.com.evil.com',
  'https://app.example.com:8443',
  'http://app.example.com',
  'https://evil.com',
  'https://partner.example.com',
  'null',
  '',
  'http://hearth.web.app',
  'https://hearth.web.app.evil.com',
  'https://hearth.web.app:8443',
  'https://evil.hearth.web.app',
  'https://hearth-evil.web.app',
  'https://evil-hearth.web.app',
  'https://hearth.evil.app',
  'https://hearthXweb.app',
  'https://other.web.app',
];

/** Near to the host of a preview channel. */
const NO_PREVIEWS = [
  'https://hearth-evil--pr42-a1b2c3d4.web.app',
  'https://hearth-pr42-a1b2c3d4.web.app',
  'https://hearth--pr42.web.app',
  'https://hearth--a1b2c3d4.web.app',
  'https://hearth---a1b2c3d4.web.app',
  'https://hearth--pr42-a1b2c3d.web.app',
  'https://hearth--pr42-A1B2C3D4.web.app',
  'https://hearth--pr42-a1b2c3d4.firebaseapp.com',
  'https://hearth--pr42-a1b2c3d4.web.app.evil.com',
  'https://hearth--pr42-a1b2c3d4.web.app:8443',
  'https://hearth--evil.com/-a1b2c3d4.web.app',
  'https://hearth--evil.com#-a1b2c3d4.web.app',
  'https://hearth--pr42-a1b2c3d4.web.app\nx',
  'http://hearth--pr42-a1b2c3d4.web.app',
  'https://other--pr42-a1b2c3d4.web.app',
];

test.each([...OWN, ...PREVIEWS])('%s is our own', (origin) => {
  expect(isOwnOrigin(config, origin)).toBe(true);
});

test.each([...FOREIGN, ...NO_PREVIEWS, undefined])('%j is not our own', (origin) => {
  expect(isOwnOrigin(config, origin)).toBe(false);
});

test.each(PREVIEWS)('%s is not our own while preview channels are off', (origin) => {
  expect(isOwnOrigin({ ...config, previewChannels: false }, origin)).toBe(false);
});

async function post(handler: express.RequestHandler, origin: string | undefined): Promise<Response> {
  const app = express();
  app.post('/', handler, (_request, response) => {
    response.end();
  });
  app.use(jsonErrors);
  const headers = origin === undefined ? {} : { Origin: origin };
  return fetch(await serve(app), { method: 'POST', headers });
}

test.each([
  ['https://app.example.com', 200],
  ['https://hearth.web.app', 200],
  ['https://partner.example.com', 403],
  ['capacitor://localhost', 403],
  ['https://evil.com', 403],
  ['null', 403],
  ['', 403],
  [undefined, 403],
])(
  'a request that must come from our own site is, with the Origin %s, answered %s',
  async (origin, status) => {
    const answer = await post((request, _response, next) => {
      requireOwnOrigin(request, config);
      next();
    }, origin);
    expect(answer.status).toBe(status);
  },
);

test.each([
  ['https://app.example.com', 200],
  ['https://hearth--pr42-a1b2c3d4.web.app', 200],
  ['https://partner.example.com', 200],
  ['capacitor://localhost', 200],
  ['ionic://localhost', 403],
  [undefined, 200],
  ['https://evil.com', 403],
  ['null', 403],
  ['', 403],
])('a request that no foreign page may send, with the Origin %s, is answered %s', async (origin, status) => {
  expect((await post(unknownOriginGuard(config), origin)).status).toBe(status);
});

describe('the origin that a browser used', () => {
  test.each([
    ['hearth.web.app', 'https://hearth.web.app'],
    ['hearth--pr42-a1b2c3d4.web.app', 'https://hearth--pr42-a1b2c3d4.web.app'],
    ['evil.com', 'https://app.example.com'],
    ['hearth.web.app, evil.com', 'https://app.example.com'],
    ['hearth.web.app/', 'https://app.example.com'],
    ['user@hearth.web.app', 'https://app.example.com'],
    ['partner.example.com', 'https://app.example.com'],
    [undefined, 'https://app.example.com'],
  ])('with the X-Forwarded-Host %s is %s', async (host, origin) => {
    const app = express();
    app.get('/', (request, response) => {
      response.json(ownOriginOf(request, config));
    });
    const answer = await fetch(await serve(app), {
      headers: host === undefined ? {} : { 'X-Forwarded-Host': host },
    });
    expect(await answer.json()).toBe(origin);
  });
});
