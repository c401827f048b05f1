import { expect, test } from 'vitest';
import { mailboxOf } from './email.ts';

test.each([
  ['Ada@Example.com', 'ada@example.com'],
  ['ada+trial@example.com', 'ada@example.com'],
  ['a.d.a+a+b@example.com', 'a.d.a@example.com'],
  ['A.D.A+trial@Gmail.com', 'ada@gmail.com'],
  ['ada+a+b@googlemail.com', 'ada@gmail.com'],
  ['"a@b"@gmail.com', '"a@b"@gmail.com'],
])('the mailbox of %s is %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});
