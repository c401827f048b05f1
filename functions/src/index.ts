import { createRequire } from 'node:module';
import type { Express } from 'express';
import { onRequest } from 'firebase-functions/https';
import { onUserDeleted } from 'firebase-functions/identity';
import { onSchedule } from 'firebase-functions/scheduler';
import { onObjectFinalized } from 'firebase-functions/storage';
import { onTaskDispatched } from 'firebase-functions/tasks';
import { cleanUpAccount } from './account/delete.service.ts';
import { sweepDeletedAccounts } from './account/sweep.service.ts';
import { createApp } from './app.ts';
import { reconcileBilling as reconcile } from './billing/reconcile.service.ts';
import { syncSeats as syncSeatsOf } from './billing/seats.service.ts';
import { isDiscovery, loadConfig, secrets, type Config } from './config.ts';
import { sweepOutdatedInvitations } from './invitations/remove.service.ts';
import { CONTENTS } from './contents.ts';
import { deliverDueMail as deliverDue, deliverMail as deliver } from './mail/deliver.service.ts';
import { createServices, type SeatSyncTask, type Services } from './services.ts';
import { receiveObject } from './uploads/receive.service.ts';
import { createReception, type Reception } from './uploads/reception.ts';
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

/** Judges what clients send straight to Storage; tried again until it succeeds. */
export const receiveUploads = onObjectFinalized(
  { region, secrets, memory: '1GiB', concurrency: 2, maxInstances: 10, timeoutSeconds: 120, retry: true },
  async ({ data: { name, generation, size, contentType = '', metadata = {} } }) => {
    // The event carries both numbers as text, whatever its type says.
    const arrived = {
      name,
      generation: `${generation}`,
      size: parseInt(`${size}`, 10),
      contentType,
      metadata,
    };
    if (started !== undefined) await receiveObject(started.reception, arrived);
  },
);

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

/** Tells Stripe how many members a team has; tried again for some hours when that fails. */
export const syncSeats = onTaskDispatched<SeatSyncTask>(
  {
    region,
    secrets,
    retryConfig: { maxAttempts: 30, minBackoffSeconds: 2, maxBackoffSeconds: 600 },
    rateLimits: { maxConcurrentDispatches: 10 },
  },
  async ({ data: { teamId } }) => {
    if (started !== undefined) await syncSeatsOf(started.services, started.config, teamId);
  },
);

/** Makes up for webhooks that were lost, and ends days of grace. */
export const reconcileBilling = onSchedule(
  { region, secrets, schedule: 'every 60 minutes', timeoutSeconds: 540 },
  async () => {
    if (started !== undefined) await reconcile(started.services, started.config);
  },
);

/** Sends each new mail. */
export const deliverMail = isLoaded('deliverMail')
  ? firestoreTriggers().onDocumentCreated(
      { region, secrets, document: 'mail/{mailId}', maxInstances: 10, timeoutSeconds: 120 },
      async ({ params }) => {
        if (started !== undefined) await deliver(started.services, started.config, params.mailId);
      },
    )
  : undefined;

/** Sends what could not be sent at once. */
export const deliverDueMail = onSchedule(
  { region, secrets, schedule: 'every 5 minutes', timeoutSeconds: 540 },
  async () => {
    if (started !== undefined) await deliverDue(started.services, started.config);
  },
);

/** False in the instances of another function; true while the CLI asks what there is. */
function isLoaded(name: string): boolean {
  return [name, undefined].includes(process.env['FUNCTION_TARGET']);
}

/**
 * Brings all of the Firestore client, which takes longer than the rest of a cold start: for whoever is called by
 * Firestore. Synchronous, because the functions emulator loads no module that awaits.
 */
function firestoreTriggers() {
  const require = createRequire(import.meta.url);
  return require('firebase-functions/firestore') as typeof import('firebase-functions/firestore');
}

function start(): { app: Express; config: Config; services: Services; reception: Reception } {
  const config = loadConfig();
  const services = createServices(config);
  const reception = createReception(config, services);
  return { app: createApp(config, services), config, services, reception };
}
