import { createServices, type Services } from '../../../functions/src/backend.ts';
import type { Config } from '../../../functions/src/settings/config.ts';
import { useStack } from '../../support/app.ts';
import { testConfig } from '../../support/config.ts';

let created: { config: Config; services: Services } | undefined;

/** The backend's services in this process, on the emulators of the stack that serves the pages. Nothing asks Stripe. */
export function backend(): { config: Config; services: Services } {
  useStack();
  const config = testConfig('http://127.0.0.1:1');
  return (created ??= { config, services: createServices(config) });
}
