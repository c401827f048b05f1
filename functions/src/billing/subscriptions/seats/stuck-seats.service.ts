import type { Backend } from '../../../backend.ts';
import { DAY_MS, HOUR_MS } from '../../../common/durations.ts';
import { logFault } from '../../../common/log.ts';

/** A seat sync waits for at most a day, the longest window. Seats that wait for their payment are not reported here. */
const STUCK_AFTER_MS = 2 * DAY_MS;

/** A round over all subscriptions takes some hours. After a longer time without wrong seats they count as new. */
const FORGOTTEN_AFTER_MS = 12 * HOUR_MS;

/**
 * Remembers that a visit of the reconciliation has found wrong seats. Each visit enqueues a seat sync. So if Stripe has
 * the same wrong quantity for two days, the queue is paused or its tasks fail: then each visit logs an error.
 *
 * @param quantity the present quantity at Stripe. Each seat sync that succeeds changes it
 */
export async function reportIfSeatsStayWrong(
  { db, now }: Backend,
  teamId: string,
  quantity: number,
): Promise<void> {
  const seenAt = now();
  const since = await db.run(async (tx) => {
    const customer = await tx.customers.getIntact(teamId);
    if (customer === undefined) return seenAt;
    const before = customer.wrongSeats;
    const isNew =
      before?.quantity !== quantity || seenAt.getTime() - before.seenAt.getTime() > FORGOTTEN_AFTER_MS;
    const first = isNew ? seenAt : before.since;
    tx.customers.update(teamId, { wrongSeats: { since: first, seenAt, quantity } });
    return first;
  });
  if (seenAt.getTime() - since.getTime() < STUCK_AFTER_MS) return;
  logFault(
    'The seats of a team stay wrong',
    { teamId, since: since.toISOString() },
    'Look at the queue syncSeats in Cloud Tasks and at its log. Resume the queue if it is paused.',
  );
}
