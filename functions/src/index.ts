import { createRequire } from 'node:module';
import type { Express } from 'express';
import { onRequest } from 'firebase-functions/https';
import { onUserCreated, onUserDeleted } from 'firebase-functions/identity';
import { onSchedule } from 'firebase-functions/scheduler';
import { onObjectFinalized } from 'firebase-functions/storage';
import { onTaskDispatched } from 'firebase-functions/tasks';
import { cleanUpAccount } from './account/delete.service.ts';
import { sweepDeletedAccounts } from './account/sweep.service.ts';
import { createProfile } from './account/user.service.ts';
import { createApp } from './app.ts';
import { reconcileBilling as reconcile } from './billing/reconcile/reconcile.service.ts';
import { syncSeats as syncSeatsOf } from './billing/seats/seats.service.ts';
import { loadConfig } from './settings/config.ts';
import { isDiscovery, servesFunction } from './settings/environment.ts';
import { secrets } from './settings/params.ts';
import { sweepOutdatedInvitations } from './invitations/remove.service.ts';
import { HOOKS } from './personal-data/registry.ts';
import { hideBodies } from './http/body.ts';
import { deliverDueMail as deliverDue, deliverMail as deliver } from './mail/deliver.service.ts';
import { createBackend, type SeatSyncTask, type Backend } from './backend.ts';
import { sweepInterruptedDeletions } from './teams/sweep.service.ts';
import { createFinalizeHandler } from './uploads/finalize/handler.ts';
import { sweepOutdatedUploads } from './uploads/manage/sweep.service.ts';

/** A wrong or missing setting stops the start here, before the first request; discovery has no values to check yet. */
const started = isDiscovery() ? undefined : start();

// The other functions get their events as the framework reads them.
if (servesFunction('api')) hideBodies();

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

/** Handles each new object in the bucket. Retried until it succeeds. */
export const receiveUploads = onObjectFinalized(
  { region, secrets, memory: '1GiB', concurrency: 1, maxInstances: 10, timeoutSeconds: 120, retry: true },
  ({ data }) => {
    const { name, generation, size, contentType = '', contentEncoding = '', metadata = {} } = data;
    // The event carries both numbers as text, whatever its type says.
    const numbers = { generation: `${generation}`, size: parseInt(`${size}`, 10) };
    const { md5Hash = '' } = data;
    const object = { path: name, contentType, contentEncoding, md5Hash, metadata, ...numbers };
    return run(({ handleFinalized }) => handleFinalized(object));
  },
);

/** Makes the profile of each new user; tried again until it succeeds. */
export const makeProfile = onUserCreated({ region, secrets, retry: true }, ({ data: { uid } }) =>
  run(({ backend }) => createProfile(backend, uid)),
);

/** Cleans up after a user who was deleted here, by a client SDK or in the console; tried again until it succeeds. */
export const cleanUpUser = onUserDeleted(
  { ...LONG_RUN, retry: true },
  ({ data: { uid, email, emailVerified } }) =>
    run(({ backend }) => cleanUpAccount(backend, { uid, email, emailVerified })),
);

/** Tells Stripe how many members a team has; tried again for some hours when that fails. */
export const syncSeats = onTaskDispatched<SeatSyncTask>(
  {
    region,
    secrets,
    retryConfig: { maxAttempts: 30, minBackoffSeconds: 2, maxBackoffSeconds: 600 },
    rateLimits: { maxConcurrentDispatches: 10 },
  },
  ({ data: { teamId } }) => run(({ backend }) => syncSeatsOf(backend, teamId)),
);

/** Sends each new mail. */
export const deliverMail = servesFunction('deliverMail')
  ? firestoreTriggers().onDocumentCreated(
      { region, secrets, document: 'mail/{mailId}', maxInstances: 10, timeoutSeconds: 120 },
      ({ params: { mailId } }) => run(({ backend }) => deliver(backend, mailId)),
    )
  : undefined;

/** Sends what could not be sent at once. */
export const deliverDueMail = onSchedule({ ...LONG_RUN, schedule: 'every 5 minutes' }, () =>
  run(({ backend }) => deliverDue(backend)),
);

/** Makes up for webhooks that were lost, and ends days of grace. */
export const reconcileBilling = onSchedule({ ...LONG_RUN, schedule: 'every 60 minutes' }, () =>
  run(({ backend }) => reconcile(backend)),
);

/** Removes what interrupted uploads left behind, and what is kept for a time only. */
export const sweepUploads = onSchedule({ ...LONG_RUN, schedule: 'every 60 minutes' }, () =>
  run(({ backend }) => sweepOutdatedUploads(backend)),
);

/** Removes invitations that are long past. */
export const sweepInvitations = onSchedule({ ...LONG_RUN, schedule: 'every 24 hours' }, () =>
  run(({ backend }) => sweepOutdatedInvitations(backend)),
);

/** Finishes deletions of teams that were interrupted. */
export const sweepTeams = onSchedule({ ...LONG_RUN, schedule: 'every 60 minutes' }, () =>
  run(({ backend }) => sweepInterruptedDeletions(backend)),
);

/** Cleans up after users whose deletion told nobody. */
export const sweepAccounts = onSchedule({ ...LONG_RUN, schedule: 'every 24 hours' }, () =>
  run(({ backend }) => sweepDeletedAccounts(backend)),
);

/** Does the work of an event or a schedule, none of which come during discovery. */
async function run(work: (instance: Instance) => Promise<unknown>): Promise<void> {
  if (started !== undefined) await work(started);
}

/**
 * Brings all of the Firestore client, which takes longer than the rest of a cold start: for whoever is called by
 * Firestore. Synchronous, because the functions emulator loads no module that awaits.
 */
function firestoreTriggers() {
  const require = createRequire(import.meta.url);
  return require('firebase-functions/firestore') as typeof import('firebase-functions/firestore');
}

interface Instance {
  app: Express;
  backend: Backend;
  handleFinalized: ReturnType<typeof createFinalizeHandler>;
}

function start(): Instance {
  const config = loadConfig();
  const backend = createBackend(config, HOOKS);
  return { app: createApp(backend), backend, handleFinalized: createFinalizeHandler(backend) };
}
