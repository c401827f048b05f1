import { createRequire } from 'node:module';
import type { Express } from 'express';
import { onRequest } from 'firebase-functions/https';
import { onUserCreated, onUserDeleted } from 'firebase-functions/identity';
import { onSchedule } from 'firebase-functions/scheduler';
import { onObjectFinalized } from 'firebase-functions/storage';
import { onTaskDispatched } from 'firebase-functions/tasks';
import { cleanUpAccount } from './account/delete.service.ts';
import { sweepDeletedAccounts } from './account/sweep.service.ts';
import { welcomeUser } from './account/user.service.ts';
import { createApp } from './app.ts';
import { reconcileBilling as reconcile } from './billing/reconcile/reconcile.service.ts';
import { syncSeats as syncSeatsOf } from './billing/subscriptions/seats.service.ts';
import { isDiscovery, loadConfig, secrets, type Config } from './settings/config.ts';
import { sweepOutdatedInvitations } from './invitations/remove.service.ts';
import { CONTENTS } from './personal-data/registry.ts';
import { hideBodies } from './http/body.ts';
import { deliverDueMail as deliverDue, deliverMail as deliver } from './mail/deliver.service.ts';
import { createServices, type SeatSyncTask, type Services } from './backend.ts';
import { sweepInterruptedDeletions } from './teams/sweep.service.ts';
import { receiveObject } from './uploads/direct/finalize.service.ts';
import { createReception, type Reception } from './uploads/direct/arrival.ts';
import { sweepOutdatedUploads } from './uploads/sweep.service.ts';

/** A wrong or missing setting stops the start here, before the first request; discovery has no values to check yet. */
const started = isDiscovery() ? undefined : start();

// The other functions get their events as the framework reads them.
if (isLoaded('api')) hideBodies();

const region = 'us-central1';

/** For what takes long: the longest that an event or a schedule may run. */
const LONG_RUN = { region, secrets, timeoutSeconds: 540 };

/** Each upload has its body in memory, up to 32 MB: as many at once as there is room for, beside the program. */
export const api = onRequest(
  { region, secrets, concurrency: 16, memory: '1GiB', maxInstances: 60, invoker: 'public' },
  (request, response) => {
    started?.app(request, response);
  },
);

/** Judges what clients send straight to Storage; tried again until it succeeds. */
export const receiveUploads = onObjectFinalized(
  { region, secrets, memory: '1GiB', concurrency: 1, maxInstances: 10, timeoutSeconds: 120, retry: true },
  ({ data }) => {
    const { name, generation, size, contentType = '', contentEncoding = '', metadata = {} } = data;
    // The event carries both numbers as text, whatever its type says.
    const numbers = { generation: `${generation}`, size: parseInt(`${size}`, 10) };
    const { md5Hash = '' } = data;
    const object = { name, contentType, contentEncoding, md5Hash, metadata, ...numbers };
    return run(({ reception }) => receiveObject(reception, object));
  },
);

/** Makes the profile of each new user; tried again until it succeeds. */
export const makeProfile = onUserCreated({ region, secrets, retry: true }, ({ data: { uid } }) =>
  run(({ services }) => welcomeUser(services, uid)),
);

/** Cleans up after a user who was deleted here, by a client SDK or in the console; tried again until it succeeds. */
export const cleanUpUser = onUserDeleted(
  { ...LONG_RUN, retry: true },
  ({ data: { uid, email, emailVerified } }) =>
    run(({ services, config }) => cleanUpAccount(services, config, CONTENTS, { uid, email, emailVerified })),
);

/** Tells Stripe how many members a team has; tried again for some hours when that fails. */
export const syncSeats = onTaskDispatched<SeatSyncTask>(
  {
    region,
    secrets,
    retryConfig: { maxAttempts: 30, minBackoffSeconds: 2, maxBackoffSeconds: 600 },
    rateLimits: { maxConcurrentDispatches: 10 },
  },
  ({ data: { teamId } }) => run(({ services, config }) => syncSeatsOf(services, config, teamId)),
);

/** Sends each new mail. */
export const deliverMail = isLoaded('deliverMail')
  ? firestoreTriggers().onDocumentCreated(
      { region, secrets, document: 'mail/{mailId}', maxInstances: 10, timeoutSeconds: 120 },
      ({ params: { mailId } }) => run(({ services, config }) => deliver(services, config, mailId)),
    )
  : undefined;

/** Sends what could not be sent at once. */
export const deliverDueMail = onSchedule({ ...LONG_RUN, schedule: 'every 5 minutes' }, () =>
  run(({ services, config }) => deliverDue(services, config)),
);

/** Makes up for webhooks that were lost, and ends days of grace. */
export const reconcileBilling = onSchedule({ ...LONG_RUN, schedule: 'every 60 minutes' }, () =>
  run(({ services, config }) => reconcile(services, config)),
);

/** Removes what interrupted uploads left behind, and what is kept for a time only. */
export const sweepUploads = onSchedule({ ...LONG_RUN, schedule: 'every 60 minutes' }, () =>
  run(({ services }) => sweepOutdatedUploads(services)),
);

/** Removes invitations that are long past. */
export const sweepInvitations = onSchedule({ ...LONG_RUN, schedule: 'every 24 hours' }, () =>
  run(({ services }) => sweepOutdatedInvitations(services)),
);

/** Finishes deletions of teams that were interrupted. */
export const sweepTeams = onSchedule({ ...LONG_RUN, schedule: 'every 60 minutes' }, () =>
  run(({ services }) => sweepInterruptedDeletions(services, CONTENTS.ofTeam)),
);

/** Cleans up after users whose deletion told nobody. */
export const sweepAccounts = onSchedule({ ...LONG_RUN, schedule: 'every 24 hours' }, () =>
  run(({ services, config }) => sweepDeletedAccounts(services, config, CONTENTS)),
);

/** Does the work of an event or a schedule, none of which come during discovery. */
async function run(work: (backend: Backend) => Promise<unknown>): Promise<void> {
  if (started !== undefined) await work(started);
}

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

interface Backend {
  app: Express;
  config: Config;
  services: Services;
  reception: Reception;
}

function start(): Backend {
  const config = loadConfig();
  const services = createServices(config);
  return { app: createApp(config, services), config, services, reception: createReception(config, services) };
}
