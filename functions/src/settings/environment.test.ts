import { afterEach, expect, test, vi } from 'vitest';
import { emulatedFilesUrl, isDiscovery, servesFunction, usesAuthEmulator } from './environment.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('discovery is recognized by the variable of the Firebase CLI', () => {
  expect(isDiscovery()).toBe(false);
  vi.stubEnv('FUNCTIONS_CONTROL_API', 'true');
  expect(isDiscovery()).toBe(true);
});

test('a process serves the function that FUNCTION_TARGET names, or all functions without it', () => {
  vi.stubEnv('FUNCTION_TARGET', undefined);
  expect([servesFunction('api'), servesFunction('deliverMail')]).toEqual([true, true]);
  vi.stubEnv('FUNCTION_TARGET', 'api');
  expect([servesFunction('api'), servesFunction('deliverMail')]).toEqual([true, false]);
});

test('FIREBASE_CONFIG is parsed only beside the Storage emulator', () => {
  vi.stubEnv('FIREBASE_STORAGE_EMULATOR_HOST', undefined);
  vi.stubEnv('FIREBASE_CONFIG', 'no JSON');
  expect(emulatedFilesUrl()).toBeUndefined();
  vi.stubEnv('FIREBASE_STORAGE_EMULATOR_HOST', '127.0.0.1:9199');
  expect(() => emulatedFilesUrl()).toThrow(SyntaxError);
  vi.stubEnv('FIREBASE_CONFIG', '{"storageBucket":"acme"}');
  expect(emulatedFilesUrl()).toBe('http://127.0.0.1:9199/v0/b/acme/o/');
});

test.each<[where: string, environment: Record<string, string>, isEmulated: boolean]>([
  ['in tests and scripts', { FIREBASE_AUTH_EMULATOR_HOST: 'localhost:9099' }, true],
  [
    'in the functions emulator',
    { FIREBASE_AUTH_EMULATOR_HOST: 'localhost:9099', K_SERVICE: 'api', FUNCTIONS_EMULATOR: 'true' },
    true,
  ],
  [
    'in Cloud Functions, even if a setting names an emulator',
    { FIREBASE_AUTH_EMULATOR_HOST: 'localhost:9099', K_SERVICE: 'api' },
    false,
  ],
  ['in Cloud Functions', { K_SERVICE: 'api' }, false],
])('unsigned tokens %s: %j -> %s', (_where, environment, isEmulated) => {
  expect(usesAuthEmulator(environment)).toBe(isEmulated);
});
