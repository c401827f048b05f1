import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { emulatorsIn, isLocal } from './settings.ts';

/** Filled in as the CLI does it, from the CLI's own template. */
function initScript(emulators: unknown): string {
  const cli = createRequire(import.meta.url).resolve('firebase-tools/package.json');
  const template = readFileSync(new URL('templates/hosting/init.js', `file://${cli}`), 'utf8');
  return template
    .replace(
      '/*--CONFIG--*/',
      `var firebaseConfig = ${JSON.stringify({ apiKey: 'x', a: { b: 1 } }, null, 2)};`,
    )
    .replace(
      '/*--EMULATORS--*/',
      `var firebaseEmulators = ${JSON.stringify(emulators, null, 2) as string | undefined};`,
    );
}

const address = (port: number) => ({ host: '127.0.0.1', port, hostAndPort: `127.0.0.1:${port}` });

it.each([
  [
    'with others',
    { auth: address(9099), hosting: address(5000), firestore: address(8080), storage: address(9199) },
    { auth: '127.0.0.1:9099', firestore: '127.0.0.1:8080', storage: '127.0.0.1:9199' },
  ],
  ['last', { hosting: address(5000), auth: address(41234) }, { auth: '127.0.0.1:41234' }],
  ['no emulator at all', {}, {}],
  ['a deployed site', undefined, {}],
])('finds the emulators: %s', (_case, emulators, expected) => {
  expect(emulatorsIn(initScript(emulators))).toEqual(expected);
});

it.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['app.example.com', false],
  ['localhost.example.com', false],
])('whether %s is this machine: %s', (hostname, expected) => {
  expect(isLocal(hostname)).toBe(expected);
});
