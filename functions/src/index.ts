import type { Express } from 'express';
import { onRequest } from 'firebase-functions/https';
import { onUserDeleted } from 'firebase-functions/identity';
import { onSchedule } from 'firebase-functions/scheduler';
import { cleanUpAccount } from './account/delete.service.ts';
import { sweepDeletedAccounts } from './account/sweep.service.ts';
import { createApp } from './app.ts';
import { isDiscovery, loadConfig, secrets, type Config } from './config.ts';
import { sweepOutdatedInvitations } from './invitations/remove.service.ts';
import { CONTENTS } from './contents.ts';
import { createServices, type Services } from './services.ts';
import { sweepOutdatedUploads } from './uploads/remove.service.ts';

/** A wrong or missing setting stops the start here, before the first request; discovery has no values to check yet. */
const started = isDiscovery() ? undefined : start();

const region = 'us-central1';

export const api = onRequest(
  { region, secrets, concurrency: 80, memory: '512MiB', maxInstances: 20, invoker: 'public' },
  (request, response) => {
    started?.app(request, response);
  },
);

/** Removes what interrupted uploads left behind, and what is kept for a time only. */
export const sweepUploads = onSchedule({ region, secrets, schedule: 'every 60 minutes' }, async () => {
  if (started !== undefined) await sweepOutdatedUploads(started.services);
});

/** Removes invitations that are long past. */
export const sweepInvitations = onSchedule({ region, secrets, schedule: 'every 24 hours' }, async () => {
  if (started !== undefined) await sweepOutdatedInvitations(started.services);
});

/** Cleans up after a user who was deleted here, by a client SDK or in the console; tried again until it succeeds. */
export const cleanUpUser = onUserDeleted(
  { region, secrets, retry: true, timeoutSeconds: 540 },
  async ({ data }) => {
    if (started !== undefined) await cleanUpAccount(started.services, started.config, CONTENTS, data.uid);
  },
);

/** Cleans up after users whose deletion told nobody. */
export const sweepAccounts = onSchedule(
  { region, secrets, schedule: 'every 24 hours', timeoutSeconds: 540 },
  async () => {
    if (started !== undefined) await sweepDeletedAccounts(started.services, started.config, CONTENTS);
  },
);

function start(): { app: Express; services: Services; config: Config } {
  const config = loadConfig();
  const services = createServices(config);
  return { app: createApp(config, services), services, config };
}
