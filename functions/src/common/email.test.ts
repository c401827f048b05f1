import { expect, test } from 'vitest';
import { countedAs, emailSchema, mailboxOf } from './email.ts';
import { UNUSUAL_ADDRESSES } from './testing/unusual-addresses.ts';

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

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['a.da@example.com', 'a.da@example.com'],
  ['ada+1@example.com', 'other spellings of ada@example.com'],
  ['ada@gmail.com', 'ada@gmail.com'],
  ['a.da@gmail.com', 'other spellings of ada@gmail.com'],
  ['ada@googlemail.com', 'other spellings of ada@gmail.com'],
])('mail to %s is counted for %s', (email, name) => {
  expect(countedAs(email)).toBe(name);
});

test.each(UNUSUAL_ADDRESSES)('%s is an address', (email) => {
  expect(emailSchema.parse(` ${email.toUpperCase()} `)).toBe(email);
});

test.each([
  'ada',
  'ada@',
  '@example.com',
  'ada@localhost',
  'ada@@example.com',
  'ada@example..com',
  'ada@-example.com',
  'ada b@example.com',
  '"ada"@example.com',
  'ada@example.com, bob@example.com',
  'Ada <ada@example.com>',
  'ada@example.com\nBcc: bob@example.com',
  'vera@пример.рф',
  `${'a'.repeat(250)}@example.com`,
])('%j is no address', (text) => {
  expect(emailSchema.safeParse(text).success).toBe(false);
});
