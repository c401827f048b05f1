import { defineConfig } from 'vitest/config';

/** Generous, because a test must not depend on how busy the machine is. */
const UNIT_TIMEOUT_MS = 20_000;
const SYSTEM_TIMEOUT_MS = 60_000;

export default defineConfig({
  test: {
    // What a test writes is shown when it fails.
    silent: 'passed-only',
    // Half of the time goes by in waiting for the stack: two files at once keep two cores busy.
    maxWorkers: 2,
    projects: [
      {
        // The pages import the client by its name; its sources are tested. No build for bundlers, which Node cannot load.
        ssr: { resolve: { conditions: ['@hearth/source', 'node'] } },
        test: {
          name: 'unit',
          include: ['{functions,web,client}/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          testTimeout: UNIT_TIMEOUT_MS,
          hookTimeout: UNIT_TIMEOUT_MS,
        },
      },
      {
        test: {
          name: 'emulators',
          include: ['emulators/**/*.test.ts'],
          testTimeout: UNIT_TIMEOUT_MS,
          hookTimeout: UNIT_TIMEOUT_MS,
        },
      },
      {
        // Against one running stack, which is started only when a test of this project runs.
        test: {
          name: 'system',
          include: ['tests/**/*.test.ts'],
          globalSetup: 'tests/support/global-setup.ts',
          testTimeout: SYSTEM_TIMEOUT_MS,
          hookTimeout: SYSTEM_TIMEOUT_MS,
        },
      },
    ],
  },
});
