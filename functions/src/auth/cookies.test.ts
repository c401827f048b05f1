import express from 'express';
import { expect, test } from 'vitest';
import { serve } from '../http/testing/serve.ts';
import { isSmallEnoughForBrowsers, readCookie, SESSION_COOKIE, sessionCookieOptions } from './cookies.ts';

test.each([
  ['__session=token', 'token'],
  ['other=1; __session=token', 'token'],
  ['__session=to%6Ben', 'token'],
  ['__session=bad%', 'bad%'],
  ['__session=', null],
  ['__SESSION=token', null],
  ['a__session=token', null],
  ['__proto__=token', null],
  [undefined, null],
])('the session in the Cookie header %s is %s', async (header, session) => {
  const app = express();
  app.get('/', (request, response) => {
    response.json(readCookie(request, SESSION_COOKIE) ?? null);
  });
  const response = await fetch(await serve(app), { headers: header === undefined ? {} : { Cookie: header } });
  expect(await response.json()).toBe(session);
});

test.each([
  ['https://app.example.com', true],
  ['http://localhost:5000', false],
])('the cookie of %s is hidden from scripts and other sites; Secure: %s', (appUrl, secure) => {
  expect(sessionCookieOptions({ appUrl })).toEqual({
    httpOnly: true,
    sameSite: 'lax',
    secure,
    path: '/',
  });
});

test('browsers store a session cookie whose name and value have at most 4,096 bytes', () => {
  const largest = 'x'.repeat(4_096 - SESSION_COOKIE.length);
  expect([isSmallEnoughForBrowsers(largest), isSmallEnoughForBrowsers(`${largest}x`)]).toEqual([true, false]);
});
