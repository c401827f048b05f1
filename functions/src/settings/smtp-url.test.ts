import { expect, test } from 'vitest';
import { readSmtpUrl } from './smtp-url.ts';

const NO_CREDENTIALS = { credentials: undefined };

test.each([
  [
    'smtps://smtp.example.com',
    { host: 'smtp.example.com', port: 465, secure: true, requireTLS: false, ...NO_CREDENTIALS },
  ],
  [
    'smtps://smtp.example.com/',
    { host: 'smtp.example.com', port: 465, secure: true, requireTLS: false, ...NO_CREDENTIALS },
  ],
  [
    'smtp://SMTP.example.com:25',
    { host: 'smtp.example.com', port: 25, secure: false, requireTLS: true, ...NO_CREDENTIALS },
  ],
  ['smtp://localhost', { host: 'localhost', port: 587, secure: false, requireTLS: false, ...NO_CREDENTIALS }],
  [
    'smtp://127.0.0.1:2525',
    { host: '127.0.0.1', port: 2525, secure: false, requireTLS: false, ...NO_CREDENTIALS },
  ],
  ['smtp://[::1]:2525', { host: '::1', port: 2525, secure: false, requireTLS: false, ...NO_CREDENTIALS }],
  [
    'smtps://ann%40example.com:p%3A%2F%40ss@smtp.example.com:2465',
    {
      host: 'smtp.example.com',
      port: 2465,
      secure: true,
      requireTLS: false,
      credentials: { user: 'ann@example.com', pass: 'p:/@ss' },
    },
  ],
])('%s is parsed', (text, server) => {
  expect(readSmtpUrl(text)).toEqual(server);
});

test.each([
  ['another protocol', 'https://smtp.example.com'],
  ['no protocol', 'smtp.example.com'],
  ['only a host and a port', 'smtp.example.com:587'],
  ['no host', 'smtp://'],
  ['a user without a host', 'smtp://ann:secret@'],
  ['a port above 65535', 'smtp://smtp.example.com:70000'],
  ['a path', 'smtp://smtp.example.com/inbox'],
  ['options', 'smtp://smtp.example.com/?pool=true'],
  ['a fragment', 'smtp://smtp.example.com#x'],
  ['a user without a password', 'smtp://ann@smtp.example.com'],
  ['a password without a user', 'smtp://:secret@smtp.example.com'],
  ['invalid percent-encoding', 'smtp://ann:100%25%zz@smtp.example.com'],
  ['the word extension', 'extension'],
])('%s is refused', (_case, text) => {
  expect(readSmtpUrl(text)).toBeUndefined();
});
