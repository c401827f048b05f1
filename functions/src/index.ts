import { createRequire } from 'node:module';
import type { Express } from 'express';
import { onRequest } from 'firebase-functions/https';
import { IS_NOT_TENANT, onUserCreated, onUserDeleted } from 'firebase-functions/identity';
import { onSchedule } from 'firebase-functions/scheduler';
import { onObjectFinalized, type StorageObjectData } from 'firebase-functions/storage';
import { onTaskDispatched } from 'firebase-functions/tasks';
import { cleanUpAccount } from './account/delete.service.ts';
import { sweepAccountsWhenDue } from './account/sweep.service.ts';
import { createProfile } from './account/user.service.ts';
import { createApp } from './app.ts';
import { createBackend, type Backend } from './backend.ts';
import { syncContact } from './billing/customers/contacts/contact.service.ts';
import { createCheckoutHandler } from './billing/extension/checkout-sessions.service.ts';
import {
  deliverDuePlanChanges,
  deliverPlanChange as deliverChange,
} from './billing/notices/deliver-plan-change.service.ts';
import { reconcileBilling as reconcile } from './billing/reconcile/reconcile.service.ts';
import { reconcileRange } from './billing/reconcile/round.service.ts';
import { syncSeats as syncSeatsOf } from './billing/subscriptions/sync/seats.service.ts';
import { sendUsage as send } from './billing/usage/send.service.ts';
import { logIfFailed } from './common/log.ts';
import { FEATURE_HOOKS } from './feature-hooks/registry.ts';
import { hideBodyHeadersOfAllRequests } from './http/body.ts';
import { skipNodeDomains } from './http/node-domains.ts';
import { sweepOutdatedInvitations } from './invitations/purge.service.ts';
import { deliverDueMail as deliverDue, deliverMail as deliver } from './mail/deliver.service.ts';
import { deliverPush as deliverPushMessage } from './push/deliver.service.ts';
import { loadConfig } from './settings/config.ts';
import { isDiscovery, servesFunction } from './settings/environment.ts';
import { apiMaxInstances, region, secrets } from './settings/params.ts';
import type { ContactSyncTask, ReconciliationTask, SeatSyncTask } from './task-queues.ts';
import { sweepInterruptedDeletions } from './teams/sweep.service.ts';
import { traceRun, type Trigger } from './tracing/tracing.ts';
import type { FinalizedObject } from './uploads/finalize/event.ts';
import { createFinalizeHandler } from './uploads/finalize/finalize.service.ts';
import { sweepLostUploads } from './uploads/manage/sweep-lost.service.ts';
import { sweepOutdatedUploads } from './uploads/manage/sweep.service.ts';

/**
 * Undefined during discovery, while the CLI lists the functions, because settings have no values then. At any other
 * time an invalid setting ends the process here.
 */
const instance = isDiscovery() ? undefined : start();

// Only in a process of the API: for an event, the framework itself needs the body and the domain.
if (servesFunction('api')) {
  hideBodyHeadersOfAllRequests();
  skipNodeDomains();
}

/** Options with the longest timeout that Cloud Functions allows for events. Schedules have it too. */
const LONG_RUN = { region, secrets, maxInstances: 10, timeoutSeconds: 540 };

/**
 * The HTTP API. The concurrency is low because each upload keeps a body of up to 32 MB in memory. A new function is
 * public without `invoker`. With it, a deployment that names `api` repairs a function that an interrupted one has left
 * closed. Other deployments skip an unchanged function.
 */
export const api = onRequest(
  { region, secrets, concurrency: 16, memory: '1GiB', maxInstances: apiMaxInstances, invoker: 'public' },
  (request, response) => {
    if (instance?.app !== undefined) instance.app(request, response);
    else response.writeHead(404).end();
  },
);

/** Finalizes each new object in Storage: validates direct uploads, and makes variants of pictures. */
export const finalizeUploads = onObjectFinalized(
  { region, secrets, memory: '1GiB', concurrency: 1, maxInstances: 10, timeoutSeconds: 120, retry: true },
  ({ data }) => runEvent(({ handleFinalized }) => handleFinalized(finalizedObjectOf(data))),
);

/**
 * Creates the profile of a new user. A user of a tenant of Identity Platform is no user of ours: the same uid or
 * address may belong to another person here.
 */
export const makeProfile = onUserCreated(
  { region, secrets, maxInstances: 10, retry: true, tenantId: IS_NOT_TENANT },
  ({ data: { uid } }) => runEvent(({ backend }) => createProfile(backend, uid)),
);

/** Purges the data of a user who was deleted by our API, a client SDK or the console. Ignores users of tenants. */
export const cleanUpUser = onUserDeleted(
  { ...LONG_RUN, retry: true, tenantId: IS_NOT_TENANT },
  ({ data: { uid, email, emailVerified } }) =>
    runEvent(({ backend }) => cleanUpAccount(backend, { uid, email, emailVerified })),
);

/** A queue that repeats a failed task for some hours. */
const QUEUE = {
  region,
  secrets,
  maxInstances: 10,
  retryConfig: { maxAttempts: 30, minBackoffSeconds: 2, maxBackoffSeconds: 600 },
  rateLimits: { maxConcurrentDispatches: 10 },
};

/** Repeats a failed task for about four days. Stripe may refuse changes of a subscription for up to a day. */
const SEAT_QUEUE = {
  ...QUEUE,
  retryConfig: { maxAttempts: 100, minBackoffSeconds: 2, maxBackoffSeconds: 3_600 },
};

/** Syncs the quantity of a team's subscription at Stripe with the members of the team. */
export const syncSeats = onTaskDispatched<SeatSyncTask>(SEAT_QUEUE, ({ data: { teamId } }) =>
  runTask(({ backend }) => syncSeatsOf(backend, teamId)),
);

/** Syncs the billing contact of a user or team to Stripe. */
export const syncContacts = onTaskDispatched<ContactSyncTask>(QUEUE, ({ data: { customerId } }) =>
  runTask(({ backend }) => syncContact(backend, customerId)),
);

/**
 * Sends a new mail. The event is repeated if the function fails before it takes the lease, because `deliverDueMail`
 * does not find a mail that another program has written without `delivery`.
 */
export const deliverMail = servesFunction('deliverMail')
  ? firestoreTriggers().onDocumentCreated(
      { region, secrets, document: 'mail/{mailId}', maxInstances: 10, timeoutSeconds: 120, retry: true },
      ({ params: { mailId } }) => runEvent(({ backend }) => deliver(backend, mailId)),
    )
  : undefined;

/**
 * Creates the checkout that a client of the Stripe extension asks for in a document. The event is repeated if the
 * document could not be answered.
 */
export const createCheckoutSession = servesFunction('createCheckoutSession')
  ? firestoreTriggers().onDocumentCreated(
      {
        region,
        secrets,
        document: 'customers/{uid}/checkout_sessions/{sessionId}',
        maxInstances: 10,
        timeoutSeconds: 120,
        retry: true,
      },
      ({ params: { uid, sessionId } }) => runEvent(({ answerCheckout }) => answerCheckout(uid, sessionId)),
    )
  : undefined;

/** Delivers a change of plan to the app. */
export const deliverPlanChange = servesFunction('deliverPlanChange')
  ? firestoreTriggers().onDocumentCreated(
      { region, secrets, document: 'planChanges/{id}', maxInstances: 10, timeoutSeconds: 120, retry: true },
      ({ params: { id } }) => runEvent(({ backend }) => deliverChange(backend, id)),
    )
  : undefined;

/** Sends a push message. The event is repeated until every device is reached, for a day at most. */
export const deliverPush = servesFunction('deliverPush')
  ? firestoreTriggers().onDocumentCreated(
      { region, secrets, document: 'pushes/{id}', maxInstances: 10, timeoutSeconds: 120, retry: true },
      ({ params: { id } }) => runEvent(({ backend }) => deliverPushMessage(backend, id)),
    )
  : undefined;

/** Sends mails whose next attempt is due. */
export const deliverDueMail = onSchedule({ ...LONG_RUN, schedule: 'every 5 minutes' }, () =>
  runScheduled(({ backend }) => deliverDue(backend)),
);

/** Both functions hold the same pages of Stripe in memory. */
const RECONCILIATION_MEMORY = '512MiB';

/** Repairs drift from Stripe, ends graces and granted plans that are over, and delivers changes of plan. */
export const reconcileBilling = onSchedule(
  { ...LONG_RUN, schedule: 'every 60 minutes', memory: RECONCILIATION_MEMORY },
  () =>
    runScheduled(async ({ backend }) => {
      try {
        await deliverDuePlanChanges(backend);
      } finally {
        await reconcile(backend);
      }
    }),
);

/** Visits a range of the subscriptions for which a run of `reconcileBilling` has no time. */
export const reconcileSubscriptions = onTaskDispatched<ReconciliationTask>(
  { ...QUEUE, concurrency: 1, timeoutSeconds: 540, memory: RECONCILIATION_MEMORY },
  ({ data }) => runTask(({ backend }) => reconcileRange(backend, data)),
);

/** Sends recorded usage to Stripe. */
export const sendUsage = onSchedule({ ...LONG_RUN, schedule: 'every 5 minutes' }, () =>
  runScheduled(({ backend }) => send(backend)),
);

/**
 * Refuses abandoned uploads, and removes uploads whose `deleteAt` has passed. Once a day also removes direct uploads
 * that were never registered.
 */
export const sweepUploads = onSchedule({ ...LONG_RUN, schedule: 'every 60 minutes' }, () =>
  runScheduled(async ({ backend }) => {
    try {
      await sweepOutdatedUploads(backend);
    } finally {
      await sweepLostUploads(backend);
    }
  }),
);

/** Removes invitations whose retention has ended. */
export const sweepInvitations = onSchedule({ ...LONG_RUN, schedule: 'every 24 hours' }, () =>
  runScheduled(({ backend }) => sweepOutdatedInvitations(backend)),
);

/** Finishes interrupted deletions of teams. */
export const sweepTeams = onSchedule({ ...LONG_RUN, schedule: 'every 60 minutes' }, () =>
  runScheduled(({ backend }) => sweepInterruptedDeletions(backend)),
);

/**
 * Purges the data of users whose deletion sent no event. A pass over all profiles begins once a day. The hourly runs
 * continue the pass.
 */
export const sweepAccounts = onSchedule({ ...LONG_RUN, schedule: 'every 60 minutes' }, () =>
  runScheduled(({ backend }) => sweepAccountsWhenDue(backend)),
);

/** In production `generation` and `size` are text, although their types say number. */
function finalizedObjectOf(data: StorageObjectData): FinalizedObject {
  const {
    name,
    generation,
    size,
    contentType = '',
    contentEncoding = '',
    md5Hash = '',
    metadata = {},
  } = data;
  return {
    path: name,
    generation: `${generation}`,
    size: parseInt(`${size}`, 10),
    contentType,
    contentEncoding,
    md5Hash,
    metadata,
  };
}

type Work = (parts: Instance) => Promise<unknown>;

const runEvent = (work: Work) => run('datasource', (parts) => logIfFailed(() => work(parts)));
// The wrapper of tasks logs an error with its stack and its cause.
const runTask = (work: Work) => run('pubsub', work);
const runScheduled = (work: Work) => run('timer', (parts) => logIfFailed(() => work(parts)));

/** Does nothing during discovery. */
async function run(trigger: Trigger, work: Work): Promise<void> {
  if (instance !== undefined) await traceRun(instance.backend.tracing, trigger, () => work(instance));
}

/**
 * Loads the module for triggers of Firestore. Only processes that serve such a trigger call this, because loading the
 * module takes longer than the rest of a cold start. Uses `require`, because the functions emulator cannot load a
 * module with a top-level `await`.
 */
function firestoreTriggers() {
  const require = createRequire(import.meta.url);
  return require('firebase-functions/firestore') as typeof import('firebase-functions/firestore');
}

interface Instance {
  /** Undefined in the processes of other functions: creating the app would delay their start. */
  app: Express | undefined;
  backend: Backend;
  handleFinalized: ReturnType<typeof createFinalizeHandler>;
  answerCheckout: ReturnType<typeof createCheckoutHandler>;
}

function start(): Instance {
  const config = loadConfig();
  const backend = createBackend(config, FEATURE_HOOKS);
  return {
    app: servesFunction('api') ? createApp(backend) : undefined,
    backend,
    handleFinalized: createFinalizeHandler(backend),
    answerCheckout: createCheckoutHandler(backend),
  };
}
