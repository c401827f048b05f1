import { expect, test } from 'vitest';
import { exactPath, pathPattern } from './path-pattern.ts';

test.each([
  ['users/{uid}', 'users/alice', true],
  ['users/{uid}', 'users/alice/posts/1', false],
  ['users/{uid}/posts/{post}', 'users/alice/posts/1', true],
  ['users/{uid=*}', 'users/a.b', true],
  ['users/*', 'users/alice', true],
  ['users/{path=**}', 'users/alice/posts/1', true],
  ['{path=**}', 'users/alice', true],
  ['{any=**}/posts/{post}', 'users/alice/posts/1', true],
  ['users/{uid=guest-*}', 'users/guest-7', true],
  ['users/{uid=guest-*}', 'users/member-7', false],
  ['users/a.b', 'users/axb', false],
])('%s against %s', (pattern, path, matches) => {
  expect(pathPattern(pattern).test(path)).toBe(matches);
});

test('an exact path has no wildcards', () => {
  expect(exactPath('users/*').test('users/*')).toBe(true);
  expect(exactPath('users/*').test('users/a')).toBe(false);
});
