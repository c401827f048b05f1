import { MINUTE_MS } from '../common/durations.ts';
import type { Delivery, DeliveryInfo } from '../firestore/documents/mail.ts';

/** The result of one attempt to send a mail. */
export type Outcome =
  | { kind: 'sent'; info: DeliveryInfo }
  /** The server did not accept the mail, but may accept it later. */
  | { kind: 'deferred'; error: string }
  /** The server will never accept this mail. */
  | { kind: 'refused'; error: string }
  /** The server may have accepted the mail. */
  | { kind: 'unknown'; error: string };

/** The next step of a delivery: send the mail, or fail with an error for the operator. */
export type NextStep = { kind: 'send' } | { kind: 'fail'; error: string };

const SEND: NextStep = { kind: 'send' };

/** Time for the trigger to send a new mail. After this time the schedule sends it. */
const TRIGGER_TIME_MS = 5 * MINUTE_MS;

/** Much longer than an attempt, so that a process with an expired lease has ended. */
const LEASE_MS = 5 * MINUTE_MS;

/** Time after which delivery is given up. */
const MAX_AGE_MS = 24 * 60 * MINUTE_MS;

const FIRST_DELAY_MS = 5 * MINUTE_MS;
const MAX_DELAY_MS = 120 * MINUTE_MS;

const HOW_TO_RETRY = 'Set delivery.state to RETRY to send it, perhaps a second time.';

export function newDelivery(now: Date): Delivery {
  return {
    state: 'PENDING',
    startTime: now,
    endTime: null,
    attempts: 0,
    error: null,
    leaseExpireTime: null,
    leaseKey: null,
    dueTime: later(now, TRIGGER_TIME_MS),
    info: null,
  };
}

/**
 * Decides what to do with a mail now; undefined if there is nothing to do.
 *
 * @param delivery undefined for a mail of another program
 */
export function nextStep(delivery: Delivery | undefined, now: Date): NextStep | undefined {
  if (delivery === undefined) return SEND;
  const isLeased = delivery.leaseExpireTime !== null && delivery.leaseExpireTime > now;
  switch (delivery.state) {
    case 'SUCCESS':
    case 'ERROR':
      return undefined;
    case 'PROCESSING':
      return isLeased ? undefined : { kind: 'fail', error: describeUnknown('The sending process ended') };
    case 'RETRY':
      return isLeased ? undefined : SEND;
    case 'PENDING':
      return nextStepOfPending(delivery, now);
    case 'DAMAGED':
      return { kind: 'fail', error: describeUnknown('The field delivery has no valid state') };
  }
}

function nextStepOfPending(
  { attempts, startTime, dueTime, error }: Delivery,
  now: Date,
): NextStep | undefined {
  // The trigger makes the first attempt immediately. Only the schedule waits for the due time of this attempt.
  if (attempts > 0 && dueTime !== null && dueTime > now) return undefined;
  if (startTime === null || now.getTime() - startTime.getTime() < MAX_AGE_MS) return SEND;
  const reason = error === null ? '' : ` ${error}`;
  return { kind: 'fail', error: `Given up after ${attempts} attempts in 24 hours.${reason}` };
}

/** The delivery during one more attempt. The process that knows `leaseKey` has the lease until `leaseExpireTime`. */
export function leasedDelivery(delivery: Delivery | undefined, leaseKey: string, now: Date): Delivery {
  // With RETRY the attempts are counted anew.
  const earlier = delivery?.state === 'PENDING' ? delivery : undefined;
  const leaseExpireTime = later(now, LEASE_MS);
  return {
    state: 'PROCESSING',
    startTime: earlier?.startTime ?? now,
    endTime: null,
    attempts: (earlier?.attempts ?? 0) + 1,
    error: earlier?.error ?? null,
    leaseExpireTime,
    leaseKey,
    dueTime: leaseExpireTime,
    info: null,
  };
}

/**
 * A delivery that ends without a further attempt. The lease stays, so that a slow process can still record the true
 * outcome.
 */
export function failedDelivery(delivery: Delivery | undefined, error: string, now: Date): Delivery {
  const { dueTime } = delivery ?? {};
  // A query for due mail finds no mail without a due time, also if an operator sets RETRY in the console.
  return { ...(delivery ?? newDelivery(now)), state: 'ERROR', error, endTime: now, dueTime: dueTime ?? now };
}

/**
 * The delivery of a mail that an operator wants sent once more. Undefined if the mail is on its way, or was sent less
 * than `pauseMs` ago.
 */
export function deliveryForRetry(
  delivery: Delivery | undefined,
  now: Date,
  pauseMs: number,
): Delivery | undefined {
  const { state, endTime = null } = delivery ?? {};
  if (delivery === undefined || state === 'PENDING' || state === 'PROCESSING' || state === 'RETRY') {
    return undefined;
  }
  const isJustSent = state === 'SUCCESS' && now.getTime() - (endTime?.getTime() ?? 0) < pauseMs;
  return isJustSent ? undefined : { ...delivery, state: 'RETRY', endTime: null, dueTime: now };
}

export function finishedDelivery(delivery: Delivery, outcome: Outcome, now: Date): Delivery {
  const ended = { ...delivery, endTime: now, leaseExpireTime: null, leaseKey: null };
  switch (outcome.kind) {
    case 'sent':
      return { ...ended, state: 'SUCCESS', error: null, info: outcome.info };
    case 'deferred': {
      const dueTime = later(now, delayAfter(delivery.attempts));
      return { ...ended, state: 'PENDING', endTime: null, error: outcome.error, info: null, dueTime };
    }
    case 'refused':
    case 'unknown':
      return { ...ended, state: 'ERROR', error: outcome.error, info: null };
  }
}

/** Milliseconds to wait after this many attempts: 5 minutes, 10, 20, up to 2 hours. */
export function delayAfter(attempts: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), MAX_DELAY_MS);
}

export function describeUnknown(error: string): string {
  return `${error}. It is not known whether the mail was sent. ${HOW_TO_RETRY}`;
}

function later(time: Date, milliseconds: number): Date {
  return new Date(time.getTime() + milliseconds);
}
