import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPagePath, withQuery } from './url.ts';

const OWN = 'https://app.example.com';

test.each([
  ['/dashboard', '/dashboard?message=welcome&team=t'],
  ['/dashboard?tab=1', '/dashboard?tab=1&message=welcome&team=t'],
  ['/', '/?message=welcome&team=t'],
])('parameters are added to %s', (path, expected) => {
  expect(withQuery(path, { message: 'welcome', team: 't' })).toBe(expected);
});

test('any value arrives complete, and the target stays the configured path', () => {
  const value = fc.oneof(
    fc.webUrl(),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('&', '=', '#', '?', '/', '\\', '%', '+', '\r', '\n', '@', ':', 'a') }),
  );
  fc.assert(
    fc.property(fc.constantFrom('/auth/sign-in', '/a?b=c'), value, value, (path, first, second) => {
      const target = withQuery(path, { first, second });
      expect(target).toMatch(/^[\x21-\x7e]+$/);
      const url = new URL(target, OWN);
      expect(url.origin + url.pathname).toBe(OWN + path.replace(/\?.*/, ''));
      expect(url.searchParams.getAll('first')).toEqual([first]);
      expect(url.searchParams.getAll('second')).toEqual([second]);
    }),
  );
});

test.each(['/', '/dashboard', '/dashboard?next=/api/x', '/apis', '/team/api', '/%E4%B8%AD'])(
  '%s is the path of a page',
  (path) => {
    expect(isPagePath(path)).toBe(true);
  },
);

test.each([
  '/api',
  '/api/auth/checkout/pro',
  '/api?a=b',
  '/API/auth',
  '/./api/auth',
  '/.//api/auth',
  '/dashboard/../api/auth',
  '/dashboard/%2e%2e/api/auth',
  '/dashboard%2f..%2fapi/auth',
  '/%61pi/auth',
  '/%2fapi/auth',
  '/%',
])('%s is no path of a page', (path) => {
  expect(isPagePath(path)).toBe(false);
});
