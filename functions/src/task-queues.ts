import type { App } from 'firebase-admin/app';
import { hasCode } from './common/error-code.ts';
import { taskWindow, type TaskWindow } from './common/task-window.ts';
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

/** Enqueues tasks for our functions in Cloud Tasks. */
export interface TaskQueues {
  /**
   * Enqueues a task that syncs the quantity of a team's subscription with its members. Changes within a window of time share
   * one task.
   */
  readonly enqueueSeatSync: (teamId: string) => Promise<void>;
  /** Enqueues a task that gives the Stripe customer of a user or team its current address and name. */
  readonly enqueueContactSync: (customerId: string) => Promise<void>;
}

export function createTaskQueues(app: App, config: Config, now: () => Date): TaskQueues {
  /** Enqueues a task. Does nothing if the window has its task already. */
  const enqueue = async (queue: string, task: SeatSyncTask | ContactSyncTask, window?: TaskWindow) => {
    const { getFunctions } = await import('firebase-admin/functions');
    const tasks = getFunctions(app).taskQueue(queueName(config, queue));
    try {
      await tasks.enqueue(task, { ...window });
    } catch (error) {
      if (!hasCode(error, 'functions/task-already-exists')) throw error;
    }
  };
  return {
    enqueueSeatSync: (teamId) =>
      enqueue('syncSeats', { teamId }, taskWindow(teamId, seatWindowOf(config), now())),
    enqueueContactSync: (customerId) => enqueue('syncContacts', { customerId }),
  };
}

/** Seconds over which changes of seats are collected. Stripe limits invoices more than changes of a quantity. */
function seatWindowOf({ seatProration, seatWindowSeconds, seatInvoiceWindowSeconds }: Config): number {
  return seatProration === 'always_invoice' ? seatInvoiceWindowSeconds : seatWindowSeconds;
}

/** The whole name of a queue. By its short name the Admin SDK looks for it in us-central1. */
function queueName({ region }: Pick<Config, 'region'>, queue: string): string {
  return `locations/${region}/functions/${queue}`;
}
