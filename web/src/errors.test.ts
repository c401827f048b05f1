import { HearthError } from '@hearth/client';
import { expect, it } from 'vitest';
import { fieldErrorsOf, isSignedOut, isUselessLink, messageOf } from './errors.ts';

const withCode = (code: string) => Object.assign(new Error('Firebase: internals'), { code });

it.each([
  [
    'a refusal of the backend',
    new HearthError('Already a member.', { status: 409, code: 'already_member' }),
    'Already a member.',
  ],
  ['a wrong password', withCode('auth/invalid-credential'), 'The e-mail address or the password is wrong.'],
  ['an unknown Firebase error', withCode('auth/new-one'), 'Sign-in failed (auth/new-one). Please try again.'],
  ['a closed popup', withCode('auth/popup-closed-by-user'), ''],
  ['an error of ours', new TypeError('x is undefined'), 'Something went wrong. Please try again.'],
  ['a code of another kind', withCode('ENOENT'), 'Something went wrong. Please try again.'],
  ['a value that is not an error', 'text', 'Something went wrong. Please try again.'],
])('words %s for people', (_case, error, expected) => {
  expect(messageOf(error)).toBe(expected);
});

it.each([
  ['a 401 of the backend', new HearthError('Sign in.', { status: 401, code: 'unauthenticated' }), true],
  ['a session that Firebase Auth has ended', withCode('auth/user-token-expired'), true],
  ['a refusal', new HearthError('Not allowed.', { status: 403, code: 'forbidden' }), false],
  ['a wrong password', withCode('auth/invalid-credential'), false],
  ['an error of ours', new TypeError('x is undefined'), false],
])('%s means that the visitor must sign in again: %s', (_case, error, expected) => {
  expect(isSignedOut(error)).toBe(expected);
});

it.each([
  ['auth/expired-action-code', true],
  ['auth/invalid-action-code', true],
  ['auth/user-disabled', true],
  ['auth/user-not-found', true],
  ['auth/network-request-failed', false],
  ['auth/internal-error', false],
  ['auth/too-many-requests', false],
])('%s means that a link does nothing any more: %s', (code, expected) => {
  expect(isUselessLink(withCode(code))).toBe(expected);
});

it('has one text for failed sign-ins, so that it does not reveal whether an account exists', () => {
  const words = ['auth/user-not-found', 'auth/wrong-password', 'auth/invalid-credential'].map((code) =>
    messageOf(withCode(code)),
  );
  expect(new Set(words).size).toBe(1);
});

it.each([
  [
    'a refusal of fields',
    new HearthError('name: is too long', {
      status: 400,
      code: 'invalid_request',
      fields: { name: 'is too long' },
    }),
    { name: 'is too long' },
  ],
  [
    'a refusal that concerns one field',
    new HearthError('Already a member.', { status: 409, code: 'already_member' }),
    { email: 'Already a member.' },
  ],
  ['another refusal', new HearthError('No.', { status: 403, code: 'forbidden' }), {}],
  [
    'a weak password',
    withCode('auth/weak-password'),
    { password: 'This password is too weak. Use a longer one.' },
  ],
  [
    'a failed sign-in',
    withCode('auth/invalid-credential'),
    { 'current-password': 'The e-mail address or the password is wrong.' },
  ],
  ['an error of ours', new TypeError('x is undefined'), {}],
])('finds the fields of %s', (_case, error, expected) => {
  expect(fieldErrorsOf(error)).toEqual(expected);
});
