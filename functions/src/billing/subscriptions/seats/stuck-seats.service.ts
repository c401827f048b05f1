import type { Backend } from '../../../backend.ts';
import { DAY_MS, HOUR_MS } from '../../../common/durations.ts';
import { logFault } from '../../../common/log.ts';

/** A seat sync waits for at most a day, the longest window. A pending update does not count. */
const STUCK_AFTER_MS = 2 * DAY_MS;

/** A round over all subscriptions takes some hours. After a longer time without wrong seats they count as new. */
const FORGOTTEN_AFTER_MS = 12 * HOUR_MS;

/**
 * Remembers that a visit of the reconciliation has found wrong seats. Logs an error at each visit once the seats have
 * been wrong for two days, because each visit enqueues a seat sync: then the queue is paused, or its tasks fail.
 */
export async function reportIfSeatsStayWrong({ db, now }: Backend, teamId: string): Promise<void> {
  const seenAt = now();
  const since = await db.run(async (tx) => {
    const customer = await tx.customers.getIntact(teamId);
    if (customer === undefined) return seenAt;
    const { wrongSeats = { since: seenAt, seenAt } } = customer;
    const isForgotten = seenAt.getTime() - wrongSeats.seenAt.getTime() > FORGOTTEN_AFTER_MS;
    const first = isForgotten ? seenAt : wrongSeats.since;
    tx.customers.update(teamId, { wrongSeats: { since: first, seenAt } });
    return first;
  });
  if (seenAt.getTime() - since.getTime() < STUCK_AFTER_MS) return;
  logFault(
    'The seats of a team stay wrong',
    { teamId, since: since.toISOString() },
    'Look at the queue syncSeats in Cloud Tasks and at its log. Resume the queue if it is paused.',
  );
}
