import type { App } from 'firebase-admin/app';
import { hasCode } from './common/error-code.ts';
import { logWarning } from './common/log.ts';
import { traced } from './common/span.ts';
import { taskId, taskWindow } from './common/task-window.ts';
import { withTimeLimit } from './common/time-limit.ts';
import type { Config } from './settings/config.ts';

/** A task of the queue `syncSeats`. */
export interface SeatSyncTask {
  teamId: string;
}

/** A task of the queue `syncContacts`. */
export interface ContactSyncTask {
  /** A uid or the id of a team. */
  customerId: string;
}

/**
 * A range of subscriptions by the time of their creation, in seconds since 1970. It is visited from the newest
 * subscription to the oldest.
 */
export interface SubscriptionRange {
  /** Inclusive. */
  from: number;
  /** Inclusive. By default the range is open to the newest subscription. */
  to?: number;
  /** Id of the last subscription that was visited. The visit continues with the next older one. */
  after?: string;
}

/** A task of the queue `reconcileSubscriptions`. */
export interface ReconciliationTask extends SubscriptionRange {
  round: string;
}

/** Enqueues tasks in Cloud Tasks. Cloud Tasks calls our functions with them. */
export interface TaskQueues {
  /** All calls for one team within a window of time share one task. */
  readonly enqueueSeatSync: (teamId: string) => Promise<void>;
  readonly enqueueContactSync: (customerId: string) => Promise<void>;
  /** Does nothing if the same range was already enqueued in this round. */
  readonly enqueueReconciliation: (task: ReconciliationTask) => Promise<void>;
}

/** The Admin SDK has no limit for a call to Cloud Tasks. A call that is too late may still enqueue the task. */
const ENQUEUE_MS = 10_000;

export function createTaskQueues(
  app: () => Promise<App>,
  config: Config,
  now: () => Date,
  enqueueMs = ENQUEUE_MS,
): TaskQueues {
  /** Does nothing if Cloud Tasks has a task with the same id, or had one recently. */
  const enqueue = async (queue: string, task: object, options?: { id: string; scheduleTime?: Date }) => {
    const { getFunctions } = await import('firebase-admin/functions');
    const tasks = getFunctions(await app()).taskQueue(queueName(config, queue));
    try {
      await traced(
        () => ({
          name: `enqueue ${queue}`,
          kind: 'producer',
          attributes: { 'gcp.client.service': 'cloudtasks', 'messaging.destination.name': queue },
        }),
        () => withTimeLimit(enqueueMs, tasks.enqueue(task, { ...options })),
      );
    } catch (error) {
      if (!hasCode(error, 'functions/task-already-exists')) throw error;
    }
  };
  return {
    enqueueSeatSync: (teamId) =>
      enqueue('syncSeats', { teamId }, taskWindow(teamId, seatWindowOf(config), now())),
    enqueueContactSync: (customerId) => enqueue('syncContacts', { customerId }),
    enqueueReconciliation: (task) =>
      enqueue('reconcileSubscriptions', task, { id: taskId(JSON.stringify(task)) }),
  };
}

/**
 * Enqueues syncs after a commit. A failure is logged, not thrown, because the change is stored already. The
 * reconciliation does the syncs later.
 *
 * @param sync the name of the sync in the log, such as `seat sync of team t`
 */
export async function enqueueOrLog(sync: string, enqueue: () => Promise<void>): Promise<void> {
  try {
    await enqueue();
  } catch (error) {
    logWarning(`The ${sync} waits for the reconciliation.`, error);
  }
}

/**
 * With `always_invoice`, each change of a quantity makes an invoice, and Stripe limits the invoices of a subscription
 * more strictly than its changes. Therefore this mode has a window of its own, which is longer by default.
 */
function seatWindowOf({ seatProration, seatWindowSeconds, seatInvoiceWindowSeconds }: Config): number {
  return seatProration === 'always_invoice' ? seatInvoiceWindowSeconds : seatWindowSeconds;
}

/** The full name of a queue. The Admin SDK looks for a short name in us-central1. */
function queueName({ region }: Pick<Config, 'region'>, queue: string): string {
  return `locations/${region}/functions/${queue}`;
}
