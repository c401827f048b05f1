import { expect, it } from 'vitest';
import { actionLink } from './action-link.ts';

const ORIGIN = 'https://app.example.com';
const read = (query: string) => actionLink(new URLSearchParams(query), ORIGIN);

it.each([
  'verifyEmail',
  'resetPassword',
  'recoverEmail',
  'verifyAndChangeEmail',
  'revertSecondFactorAddition',
])('knows %s', (mode) => {
  expect(read(`mode=${mode}&oobCode=c`)).toEqual({ mode, code: 'c', next: '/dashboard' });
});

it.each(['mode=verifyEmail', 'oobCode=c', 'mode=signIn&oobCode=c', ''])('ignores the link "%s"', (query) => {
  expect(read(query)).toBeUndefined();
});

it.each([
  [`${ORIGIN}/billing`, `${ORIGIN}/billing`],
  [
    `${ORIGIN}/api/team/accept-invitation?invitationId=0a`,
    `${ORIGIN}/api/team/accept-invitation?invitationId=0a`,
  ],
  [`${ORIGIN}/api/auth/checkout/pro`, '/dashboard'],
  [`${ORIGIN}/%61pi/auth/portal`, '/dashboard'],
  ['https://evil.example/', '/dashboard'],
  ['//evil.example', '/dashboard'],
  ['javascript:alert(1)', '/dashboard'],
])('after %s continues at %s', (continueUrl, next) => {
  const query = new URLSearchParams({ mode: 'verifyEmail', oobCode: 'c', continueUrl });
  expect(read(query.toString())?.next).toBe(next);
});
