import type { Backend } from '../../../backend.ts';
import { tryLeaveToSweep } from '../../customers/lost/lost-account.store.ts';
import { refundAndCancel } from '../../stripe/cancel-subscription.ts';
import { cancelWithFinalInvoice } from '../../stripe/final-invoice.ts';
import { withStripeRefusals } from '../../stripe/stripe-errors.ts';
import { sendUsageOf } from '../../usage/send.service.ts';
import { syncClaims } from '../access/claims.service.ts';
import { hasWrongSeats } from '../seats/wrong-seats.service.ts';
import { discardPlannedChange } from '../wanted-items/planned-change.ts';
import { copySubscription } from './copy-subscription.service.ts';
import type { SyncOptions, SyncResult, SyncTarget } from './sync-shapes.ts';

/**
 * Copies a subscription from Stripe to Firestore. Discards a planned change that an immediate change has replaced. Then
 * syncs the claims of a user. If the account is gone, `endForDeletedUser` cancels the subscription or leaves it to the
 * sweep. For a team whose quantity is wrong, now or in a planned change, enqueues a seat sync. Idempotent.
 *
 * @returns undefined if the customer no longer exists
 * @throws Error of Cloud Tasks if the seat sync cannot be enqueued
 * @throws DamagedDocument for the document of the customer or team, or a granted plan. A damaged copy of this
 *   subscription is replaced. A damaged copy of another subscription is not used: unless the event was
 *   recorded before, Stripe is asked for that subscription
 */
export async function syncSubscription(
  backend: Backend,
  customerId: string,
  subscriptionId: string,
  options: SyncOptions = {},
): Promise<SyncResult | undefined> {
  const target = { customerId, subscriptionId, ...options };
  const result = await withStripeRefusals(() => copySubscription(backend, target));
  if (result !== undefined) await discardReplacedSchedule(backend, result);
  if (result?.customer.type === 'user') {
    const userExists = await syncClaims(backend, customerId, result.customer.holding);
    if (!userExists) await endForDeletedUser(backend, target, result);
  }
  if (result?.customer.type === 'team') await enqueueSeatSyncIfSeatsAreWrong(backend, result);
  return result;
}

/**
 * Discards a planned change after the customer has made an immediate change. If the immediate change waits for its
 * payment, the planned one stays until the payment. Idempotent.
 */
async function discardReplacedSchedule(
  backend: Backend,
  { subscription: { replacedSchedule: schedule } }: SyncResult,
): Promise<void> {
  if (schedule === undefined) return;
  const stripe = await backend.stripe();
  await withStripeRefusals(() => discardPlannedChange(stripe, { schedule }));
}

/**
 * If our service has deleted the account (`account/delete.service.ts`), for example during the checkout, cancels the
 * subscription as that deletion does. If the account was deleted in another way, such as in the Firebase console,
 * leaves the subscription to the sweep. A subscription that pays for no plan stays: a person may have made it in
 * Stripe's dashboard.
 */
async function endForDeletedUser(
  backend: Backend,
  { customerId, subscriptionId, lostCustomer }: SyncTarget,
  { subscription: { runningPlanItem }, customer: { runningCopies, markedDuplicates } }: SyncResult,
): Promise<void> {
  const runningCopy = runningCopies.find(({ id }) => id === subscriptionId);
  if (runningCopy === undefined || runningPlanItem === undefined) return;
  // The customer's document was missing, and this sync has created it again. As the account is gone too, the document
  // was not lost: a deletion has purged it. Therefore the subscription is not left to the sweep.
  const wasPurged = lostCustomer !== undefined;
  if (!wasPurged && (await tryLeaveToSweep(backend.db, customerId, backend.now()))) return;
  const stripe = await backend.stripe();
  // This duplicate is refunded and ended now: the deletion of the customer deletes its mark, so a later call may not
  // find it.
  if (markedDuplicates.includes(subscriptionId)) {
    await refundAndCancel(stripe, { customerId, subscriptionId });
    return;
  }
  await sendUsageOf(backend, customerId);
  await cancelWithFinalInvoice(stripe, { id: subscriptionId, status: runningCopy.data.status });
}

async function enqueueSeatSyncIfSeatsAreWrong(
  backend: Backend,
  {
    subscription: { runningPlanItem, subscriptionWithSchedule },
    customer: { customerId: teamId },
  }: SyncResult,
): Promise<void> {
  if (runningPlanItem === undefined) return;
  if (await hasWrongSeats(backend, teamId, runningPlanItem, subscriptionWithSchedule))
    await backend.enqueueSeatSync(teamId);
}
