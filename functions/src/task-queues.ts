import type { App } from 'firebase-admin/app';
import { hasCode } from './common/error-code.ts';
import { traced } from './common/span.ts';
import { taskId, taskWindow } from './common/task-window.ts';
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

/** Subscriptions by the time when they were created, in seconds since 1970. */
export interface SubscriptionRange {
  from: number;
  /** Inclusive. By default the present. */
  to?: number;
  /** Id of the subscription after which the visit continues, from the newest. */
  after?: string;
}

/** A task of the queue `reconcileSubscriptions`. */
export interface ReconciliationTask extends SubscriptionRange {
  round: string;
}

/** Enqueues tasks for our functions in Cloud Tasks. */
export interface TaskQueues {
  /** Changes within a window of time share one task. */
  readonly enqueueSeatSync: (teamId: string) => Promise<void>;
  readonly enqueueContactSync: (customerId: string) => Promise<void>;
  /** A range is enqueued once in a round. */
  readonly enqueueReconciliation: (task: ReconciliationTask) => Promise<void>;
}

export function createTaskQueues(app: () => Promise<App>, config: Config, now: () => Date): TaskQueues {
  /** Does nothing if Cloud Tasks has, or had lately, a task with the same id. */
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
        () => tasks.enqueue(task, { ...options }),
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

/** With `always_invoice` each change makes an invoice, and Stripe allows fewer invoices than changes of a quantity. */
function seatWindowOf({ seatProration, seatWindowSeconds, seatInvoiceWindowSeconds }: Config): number {
  return seatProration === 'always_invoice' ? seatInvoiceWindowSeconds : seatWindowSeconds;
}

/** The full name of a queue. The Admin SDK looks for a short name in us-central1. */
function queueName({ region }: Pick<Config, 'region'>, queue: string): string {
  return `locations/${region}/functions/${queue}`;
}
