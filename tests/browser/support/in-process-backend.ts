import { createBackend, type Backend } from '../../../functions/src/backend.ts';
import { FEATURE_HOOKS } from '../../../functions/src/feature-hooks/registry.ts';
import { useStack } from '../../support/app.ts';
import { testConfig } from '../../support/config.ts';

let created: Backend | undefined;

/** The backend in this process, on the emulators of the stack that serves the pages. It makes no calls to Stripe. */
export function inProcessBackend(): Backend {
  useStack();
  return (created ??= createBackend(testConfig('http://127.0.0.1:1'), FEATURE_HOOKS));
}
