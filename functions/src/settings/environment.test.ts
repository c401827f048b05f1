import { afterEach, expect, test, vi } from 'vitest';
import { isDiscovery, servesFunction } from './environment.ts';

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
