import type { Express } from 'express';
import { onRequest } from 'firebase-functions/https';
import { createApp } from './app.ts';
import { isDiscovery, loadConfig, secrets } from './config.ts';
import { createServices } from './services.ts';

/** A wrong or missing setting stops the start here, before the first request; discovery has no values to check yet. */
const app: Express | undefined = isDiscovery() ? undefined : start();

export const api = onRequest(
  { region: 'us-central1', secrets, concurrency: 80, memory: '512MiB', maxInstances: 20, invoker: 'public' },
  (request, response) => {
    app?.(request, response);
  },
);

function start(): Express {
  const config = loadConfig();
  return createApp(config, createServices(config));
}
