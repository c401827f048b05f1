import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isInvitationLink,
  needsConfirmation,
  pathToReopen,
  safeCallback,
  SESSION_ENDED,
  signInPath,
} from './callback.ts';

const OWN = 'https://app.example.com';

describe('a callback is followed on our own origin', () => {
  it.each([
    [`${OWN}/api/team/accept-invitation?invitationId=0a1b`, '/api/team/accept-invitation?invitationId=0a1b'],
    [`${OWN}/dashboard#teams`, '/dashboard#teams'],
    [OWN, '/'],
    [`${OWN}:443/dashboard`, '/dashboard'],
    ['HTTPS://APP.EXAMPLE.COM/dashboard', '/dashboard'],
    [`${OWN}//evil.com`, '//evil.com'],
    [`${OWN}/\\evil.com`, '//evil.com'],
    [`${OWN}\\@evil.com`, '/@evil.com'],
    ['https:\\\\app.example.com\\dashboard', '/dashboard'],
    ['\t https://app.exam\nple.com/dashboard \r', '/dashboard'],
  ])('%j', (text, rest) => {
    expect(safeCallback(text, OWN)?.href).toBe(OWN + rest);
  });

  it('on http as well, as on localhost', () => {
    const own = 'http://localhost:5000';
    expect(safeCallback(`${own}/billing`, own)?.href).toBe(`${own}/billing`);
  });
});

describe('a callback that would leave our origin is dropped', () => {
  it.each([
    null,
    '',
    ' ',
    'https://evil.com',
    'https://evil.com/?https://app.example.com/',
    'http://app.example.com/',
    'https://app.example.com:8443/',
    'https://app.example.com.evil.com/',
    'https://app.example.com.',
    'https://evil.app.example.com/',
    'https://app.example.com@evil.com/',
    'https://app.example.com%40evil.com/',
    'https://app.example.com%2eevil.com/',
    'https://user@app.example.com/',
    'https://user:secret@app.example.com/',
    'https://:secret@app.example.com/',
    '//evil.com',
    '///evil.com',
    '/\\evil.com',
    '\\\\evil.com',
    '/\t/evil.com',
    '\t//evil.com',
    '/%2Fevil.com',
    '%2F%2Fevil.com',
    '%68ttps://app.example.com/',
    'https%3A%2F%2Fapp.example.com%2F',
    '/dashboard',
    'dashboard',
    'https:evil.com',
    'https:/evil.com',
    'https:\\\\evil.com',
    'ht\ttps://evil.com',
    'https://evil.com\\@app.example.com/',
    'https://evil.com#@app.example.com/',
    'https://аpp.example.com/',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'javascript://app.example.com/%0aalert(1)',
    'data:text/html,hello',
    'blob:https://app.example.com/5f0c8d3e',
    'filesystem:https://app.example.com/temporary/x',
    'view-source:https://app.example.com/',
    'ftp://app.example.com/',
    'wss://app.example.com/',
    'null',
    'undefined',
  ])('%j', (text) => {
    expect(safeCallback(text, OWN)).toBeUndefined();
  });

  it('whatever surrounds our origin', () => {
    const pieces = fc.constantFrom(
      OWN,
      '//',
      '/',
      '\\',
      '@',
      ':',
      'evil.com',
      '%2f',
      '\t',
      '#',
      '?',
      'https:',
      '.',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const url = safeCallback(parts.join(''), OWN);
        return url === undefined || (url.href.startsWith(`${OWN}/`) && url.origin === OWN);
      }),
    );
  });
});

it.each([
  ['/api/team/accept-invitation?invitationId=0a', true],
  ['/api/team/reject-invitation?invitationId=0a', true],
  ['/dashboard?next=/api/team/accept-invitation', false],
  ['/', false],
])('knows %s as an invitation link: %s', (path, expected) => {
  expect(isInvitationLink(new URL(path, OWN))).toBe(expected);
});

it('takes no callback for an invitation link', () => {
  expect(isInvitationLink(undefined)).toBe(false);
});

it.each([
  ['/api/auth/checkout/pro', true],
  ['/api/auth/portal?team=0a', true],
  ['/api', true],
  ['//api/auth/checkout/pro', true],
  ['/%61pi/auth/checkout/pro', true],
  ['/API/auth/checkout/pro', true],
  ['/x/../api/auth/checkout/pro', true],
  ['/api/team/accept-invitation?invitationId=0a', false],
  ['/', false],
  ['/dashboard?next=/api/auth/checkout/pro', false],
  ['/billing/success', false],
  ['/apis', false],
])('somebody who is signed in confirms %s: %s', (path, expected) => {
  expect(needsConfirmation(new URL(OWN + path))).toBe(expected);
});

it('makes a sign-in URL whose callback is read back unchanged', () => {
  const here = `${OWN}/dashboard?message=welcome&team=a b#c`;
  const url = new URL(signInPath(here), OWN);
  expect(url.pathname).toBe('/auth/sign-in');
  expect(url.searchParams.get('callback')).toBe(here);
  expect(url.searchParams.has('message')).toBe(false);
});

it('makes a sign-in URL that says that the session has ended', () => {
  const url = new URL(signInPath(`${OWN}/account`, SESSION_ENDED), OWN);
  expect(url.searchParams.get('message')).toBe(SESSION_ENDED);
});

it.each([
  ['/auth/sign-in?callback=%2Fa&switch=true', '/auth/sign-in?callback=%2Fa'],
  ['/auth/sign-in?switch=true&message=session-ended', '/auth/sign-in'],
  ['/auth/sign-in', '/auth/sign-in'],
  ['/dashboard?message=welcome', '/dashboard?message=welcome'],
])('opens %s again at %s', (path, expected) => {
  expect(pathToReopen(new URL(path, OWN))).toBe(expected);
});
