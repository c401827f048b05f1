import type { Firestore } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { membersRef } from '../../teams/member.store.ts';
import { syncClaims } from './claims.service.ts';
import type { LostCustomer } from '../customers/customer.store.ts';
import type { EventHead } from '../webhook/event-ledger.store.ts';
import { mirrorSubscription, type Standing } from './mirror.ts';
import { guardStripe, ifStillThere, isMissing } from '../stripe/stripe-errors.ts';
import { RETRIEVE, wantedQuantity, type PlanItem } from './subscription.ts';

/**
 * Mirrors a subscription as Stripe has it now, and then what no Firestore transaction can hold: the claims of a user, the
 * seats of a team. All of it may be done again at any time.
 *
 * @throws Refusal 503 when Stripe or Firebase Auth does not answer
 */
export async function followSubscription(
  backend: Backend,
  customerId: string,
  subscriptionId: string,
  { event, lost }: { event?: EventHead | undefined; lost?: LostCustomer | undefined } = {},
): Promise<void> {
  const { config } = backend;
  const [firestore, stripe] = await Promise.all([backend.firestore(), backend.stripe()]);
  const standing = await guardStripe(() =>
    mirrorSubscription(firestore, config, {
      customerId,
      subscriptionId,
      fetch: () => retrieve(stripe, subscriptionId),
      ...(event && { event }),
      ...(lost && { lost }),
      now: backend.now(),
    }),
  );
  if (standing) await followStanding(backend, customerId, subscriptionId, standing);
}

async function retrieve(stripe: Stripe, subscriptionId: string): Promise<Stripe.Subscription | undefined> {
  try {
    return await stripe.subscriptions.retrieve(subscriptionId, RETRIEVE);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Members may have come and gone while the checkout was open; and a user who was deleted meanwhile is not to pay: a
 * request that was on its way at that moment may have begun the checkout after everything else had ended.
 */
async function followStanding(
  backend: Backend,
  customerId: string,
  subscriptionId: string,
  { type, plan, item }: Standing,
): Promise<void> {
  if (type === 'user') {
    const isUserThere = await syncClaims(backend, customerId, plan);
    if (!isUserThere && item) await cancel(backend, subscriptionId);
  } else if (item && (await hasWrongQuantity(await backend.firestore(), customerId, item))) {
    await backend.enqueueSeatSync(customerId);
  }
}

async function cancel(backend: Backend, subscriptionId: string): Promise<void> {
  const stripe = await backend.stripe();
  await guardStripe(() => ifStillThere(stripe.subscriptions.cancel(subscriptionId)));
}

/** Whether a team is billed for another quantity than it should be. */
export async function hasWrongQuantity(
  firestore: Firestore,
  teamId: string,
  item: PlanItem,
): Promise<boolean> {
  return item.quantity !== (await wantedQuantity(item, () => countMembers(firestore, teamId)));
}

/** Members of a team, which are the seats it is billed for. Reads one document for each 1,000. */
export async function countMembers(firestore: Firestore, teamId: string): Promise<number> {
  return (await membersRef(firestore, teamId).count().get()).data().count;
}
