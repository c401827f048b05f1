import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import express, { type RequestHandler } from 'express';
import { expect, test } from 'vitest';
import { refusal as makeRefusal } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import { jsonErrors } from './errors/render-error.ts';
import { redirectBrowserToSignIn, redirectToSignIn } from './sign-in-redirect.ts';
import { serve } from './testing/serve.ts';

const config = {
  appUrl: 'https://app.example.com',
  ownOrigins: [],
  hostingSites: ['hearth'],
  previewChannels: true,
  signInPath: '/auth/sign-in',
} as unknown as Config;

function signedOut() {
  const refuseBy =
    (refuse: ReturnType<typeof redirectToSignIn>): RequestHandler =>
    (request, response) => {
      refuse(makeRefusal('unauthenticated'), request, response);
    };
  const app = express();
  app.use('/page', refuseBy(redirectBrowserToSignIn(config)));
  app.use(refuseBy(redirectToSignIn(config)));
  app.use(jsonErrors);
  return serve(app);
}

/** Sends a request exactly as written, which fetch would not, and gives the answer as it came. */
async function send(origin: string, target: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.end(
    `GET ${target} HTTP/1.1\r\nHost: evil.com\r\nX-Forwarded-Host: evil.com\r\nForwarded: host=evil.com\r\nConnection: close\r\n\r\n`,
  );
  return text(socket);
}

test.each([
  '/api/team/accept-invitation?invitationId=ab',
  '/a?x=1&y=%26%23%0d%0aSet-Cookie:z',
  '//evil.com/a',
])('%s is the way back on our own origin, whatever the Host header contains', async (target) => {
  const answer = await send(await signedOut(), target);
  expect(answer).toMatch(/^HTTP\/1\.1 303 /);
  const location = /^Location: (.*)$/im.exec(answer)?.[1] ?? '';
  expect(location).toMatch(/^\/auth\/sign-in\?callback=[^&/:]+$/);
  const callback = new URL(location, config.appUrl).searchParams.get('callback') ?? '';
  expect(callback).toBe(config.appUrl + target);
  expect(new URL(callback).origin).toBe(config.appUrl);
});

test.each(['hearth.web.app', 'hearth--pr42-a1b2c3d4.web.app'])(
  'a visitor of our own site %s returns to it',
  async (host) => {
    const response = await fetch(`${await signedOut()}/a?x=1`, {
      redirect: 'manual',
      headers: { 'X-Forwarded-Host': host },
    });
    const callback = encodeURIComponent(`https://${host}/a?x=1`);
    expect(response.headers.get('Location')).toBe(`/auth/sign-in?callback=${callback}`);
  },
);

test.each(['http://evil.com/a', 'x://@evil.com/a', '*'])('the request target %s is 400', async (target) => {
  expect(await send(await signedOut(), target)).toMatch(/^HTTP\/1\.1 400 /);
});

test.each([
  ['text/html,application/xhtml+xml,*/*;q=0.8', 303],
  ['TEXT/HTML', 303],
  ['application/json', 401],
  ['*/*', 401],
])('a request with Accept: %s is answered %s', async (accept, status) => {
  const response = await fetch(`${await signedOut()}/page`, {
    redirect: 'manual',
    headers: { Accept: accept },
  });
  expect(response.status).toBe(status);
});
