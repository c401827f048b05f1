import { expect, test } from 'vitest';
import { readSmtpUrl } from './smtp-url.ts';

const NOBODY = { credentials: undefined };

test.each([
  [
    'smtps://smtp.example.com',
    { host: 'smtp.example.com', port: 465, secure: true, requireTLS: false, ...NOBODY },
  ],
  [
    'smtps://smtp.example.com/',
    { host: 'smtp.example.com', port: 465, secure: true, requireTLS: false, ...NOBODY },
  ],
  [
    'smtp://SMTP.example.com:25',
    { host: 'smtp.example.com', port: 25, secure: false, requireTLS: true, ...NOBODY },
  ],
  ['smtp://localhost', { host: 'localhost', port: 587, secure: false, requireTLS: false, ...NOBODY }],
  ['smtp://127.0.0.1:2525', { host: '127.0.0.1', port: 2525, secure: false, requireTLS: false, ...NOBODY }],
  ['smtp://[::1]:2525', { host: '::1', port: 2525, secure: false, requireTLS: false, ...NOBODY }],
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
])('%s names a server', (text, server) => {
  expect(readSmtpUrl(text)).toEqual(server);
});

test.each([
  ['another protocol', 'https://smtp.example.com'],
  ['no protocol', 'smtp.example.com'],
  ['a host and a port alone', 'smtp.example.com:587'],
  ['no host', 'smtp://'],
  ['no host but a user', 'smtp://ann:secret@'],
  ['a port beyond all ports', 'smtp://smtp.example.com:70000'],
  ['a path', 'smtp://smtp.example.com/inbox'],
  ['options', 'smtp://smtp.example.com/?pool=true'],
  ['a fragment', 'smtp://smtp.example.com#x'],
  ['a user without a password', 'smtp://ann@smtp.example.com'],
  ['a password without a user', 'smtp://:secret@smtp.example.com'],
  ['a broken percent sign', 'smtp://ann:100%25%zz@smtp.example.com'],
  ['the word for the extension', 'extension'],
])('%s is refused', (_case, text) => {
  expect(readSmtpUrl(text)).toBeUndefined();
});
