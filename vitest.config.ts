import { defineConfig } from 'vitest/config';

/** Ends a test that hangs. How long a test takes depends on the machine, so no test has a shorter limit. */
const BACKSTOP_MS = 600_000;

const TIME_LIMITS = { testTimeout: BACKSTOP_MS, hookTimeout: BACKSTOP_MS, teardownTimeout: BACKSTOP_MS };

/**
 * Tests that replace something before a module reads it, such as the console that the logger keeps. Each of them has
 * its own process. The others share processes, because loading the packages takes longer than most tests.
 */
const FRESH_PROCESS = [
  'emulators/firestore/webchannel/client.test.ts',
  'emulators/bin/storage-rules.test.ts',
  'functions/src/http/request-log.test.ts',
  'functions/src/task-queues.test.ts',
  'tests/billing-claims.test.ts',
  'tests/damaged-billing.test.ts',
  'tests/lost-accounts.test.ts',
  'tests/lost-commits-of-events.test.ts',
  'tests/stories/late-payments.test.ts',
  'tests/stories/payment-method.test.ts',
  'tests/stories/purchase-faults.test.ts',
  'tests/stories/refunds-and-disputes.test.ts',
  'tests/stories/second-stripe-customer.test.ts',
  'tests/stories/two-subscriptions.test.ts',
  'tests/stories/wrong-subscriptions.test.ts',
  'tests/uploads-replaced.test.ts',
  'tests/uploads-restored.test.ts',
];

/** Two concurrent files keep two cores busy: half of the time is spent waiting for the stack. */
const TWO_AT_ONCE = { maxWorkers: 2 };

/** Tests against one running stack, which is started only when one of them runs. */
const AGAINST_STACK = {
  globalSetup: 'tests/support/global-setup.ts',
  setupFiles: 'tests/support/quick-retries.ts',
  ...TIME_LIMITS,
};

/**
 * The pages and examples import the client by its name, which leads to its sources here. Not to a build for bundlers,
 * which Node cannot load.
 */
const WITH_SOURCES = { ssr: { resolve: { conditions: ['@hearth/source', 'node'] } } };

const NO_TESTS = ['**/node_modules/**'];

/** The projects run one after the other; a second stack runs while the first one is not in use, to save memory. */
export default defineConfig({
  test: {
    // The output of a test is shown only if it fails.
    silent: 'passed-only',
    includeTaskLocation: true,
    projects: [
      {
        ...WITH_SOURCES,
        test: {
          // No processes, no browser.
          name: 'unit',
          include: ['{functions,web,client,shared}/src/**/*.test.ts', '{scripts,create-hearth}/**/*.test.ts'],
          exclude: [...NO_TESTS, ...FRESH_PROCESS],
          sequence: { groupOrder: 1 },
          isolate: false,
          ...TWO_AT_ONCE,
          ...TIME_LIMITS,
        },
      },
      {
        test: {
          // The stand-ins, each within the test or in a process of its own.
          name: 'emulators',
          include: ['emulators/**/*.test.ts'],
          exclude: [...NO_TESTS, ...FRESH_PROCESS, '**/browser.test.ts'],
          sequence: { groupOrder: 2 },
          isolate: false,
          ...TWO_AT_ONCE,
          ...TIME_LIMITS,
        },
      },
      {
        test: {
          // Tests that start a second stack or load the whole service in several processes, and tests that need their
          // own process.
          name: 'alone',
          include: ['tests/alone/**/*.test.ts', ...FRESH_PROCESS],
          sequence: { groupOrder: 3 },
          maxWorkers: 1,
          ...AGAINST_STACK,
        },
      },
      {
        ...WITH_SOURCES,
        test: {
          name: 'system',
          include: ['tests/**/*.test.ts'],
          exclude: [...FRESH_PROCESS, 'tests/{browser,alone}/**'],
          sequence: { groupOrder: 4 },
          isolate: false,
          ...TWO_AT_ONCE,
          ...AGAINST_STACK,
        },
      },
      {
        ...WITH_SOURCES,
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts', 'emulators/**/browser.test.ts'],
          sequence: { groupOrder: 5 },
          ...TWO_AT_ONCE,
          ...AGAINST_STACK,
          globalSetup: ['tests/support/browser-setup.ts', AGAINST_STACK.globalSetup],
        },
      },
    ],
  },
});
