import type { Timestamp } from 'firebase-admin/firestore';

export const DELIVERY_STATES = ['PENDING', 'PROCESSING', 'SUCCESS', 'ERROR', 'RETRY'] as const;

/**
 * How the delivery of a mail stands, in the shape of the Trigger Email extension.
 *
 * - `PENDING`: to be sent from `dueTime` on; after a failed attempt `error` says why it waits.
 * - `PROCESSING`: being sent by whoever claimed it, until `leaseExpireTime`.
 * - `SUCCESS`, `ERROR`: over. Nothing leads out of them but an admin who writes `RETRY`.
 */
export interface Delivery {
  state: (typeof DELIVERY_STATES)[number];
  /** When it was written, or last asked for again. */
  startTime: Timestamp;
  endTime: Timestamp | null;
  attempts: number;
  error: string | null;
  /** Names a claim too: no two claims of a mail have the same. */
  leaseExpireTime: Timestamp | null;
  /** When the schedule looks at it, if it is not over then: beyond the extension's shape. */
  dueTime: Timestamp;
  info: DeliveryInfo | null;
}

/** What the server said to a mail that it took. */
export interface DeliveryInfo {
  messageId: string;
  accepted: string[];
  rejected: string[];
  response: string;
}

/** What became of an attempt. */
export type Outcome =
  | { kind: 'sent'; info: DeliveryInfo }
  /** The server has not taken it, and may do so later. */
  | { kind: 'deferred'; error: string }
  /** The server will never take it. */
  | { kind: 'refused'; error: string }
  /** The server may or may not have taken it. */
  | { kind: 'unknown'; error: string };

/** What is to be done with a mail. */
export type Verdict = 'send' | 'leave' | { error: string };

const MINUTE_MS = 60_000;

/** How long the trigger of a new mail may take before the schedule sends it. */
export const MISSED_AFTER_MS = 5 * MINUTE_MS;

/** Much longer than an attempt may last, so that whoever holds an expired lease is gone. */
export const LEASE_MS = 5 * MINUTE_MS;

/** Mail that could not be sent for so long is of no use any more. */
export const GIVEN_UP_AFTER_MS = 24 * 60 * MINUTE_MS;

const FIRST_DELAY_MS = 5 * MINUTE_MS;
const LONGEST_DELAY_MS = 120 * MINUTE_MS;

const UNKNOWN =
  'It is not known whether the mail was sent. Set delivery.state to RETRY to send it, perhaps a second time.';

/** What is to be done with a mail now; `undefined` is the delivery of a mail that something else wrote. */
export function judge(delivery: Delivery | undefined, now: Date): Verdict {
  if (delivery === undefined) return 'send';
  const leased = delivery.leaseExpireTime !== null && delivery.leaseExpireTime.toMillis() > now.getTime();
  switch (delivery.state) {
    case 'SUCCESS':
    case 'ERROR':
      return 'leave';
    case 'PROCESSING':
      return leased ? 'leave' : { error: `The sending process ended. ${UNKNOWN}` };
    case 'RETRY':
      return leased ? 'leave' : 'send';
    case 'PENDING':
      return judgePending(delivery, now);
  }
}

function judgePending({ attempts, startTime, dueTime, error }: Delivery, now: Date): Verdict {
  // The first attempt need not wait: its due time is for the schedule.
  if (attempts > 0 && dueTime.toMillis() > now.getTime()) return 'leave';
  if (now.getTime() - startTime.toMillis() < GIVEN_UP_AFTER_MS) return 'send';
  return { error: `Given up after ${attempts} attempts in 24 hours.${error === null ? '' : ` ${error}`}` };
}

/** Milliseconds to wait after so many attempts: 5 minutes, 10, 20, up to 2 hours. */
export function delayAfter(attempts: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
}

/** How an `unknown` outcome is told to an admin. */
export function describeUnknown(error: string): string {
  return `${error}. ${UNKNOWN}`;
}
