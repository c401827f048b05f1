import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Backend } from '../../../backend.ts';
import type { Tx } from '../../../firestore/db.ts';
import {
  cartSchema,
  type Cart,
  type CustomerDocument,
  type StoredCheckout,
} from '../../../firestore/documents/customer.ts';
import { openKeyedHash, type KeyedHash } from '../../../personal-data/keyed-hash.ts';
import { refusal } from '../../../refusals/refusals.ts';
import type { Config } from '../../../settings/config.ts';
import { reaches } from '../../../settings/plans.ts';
import { authorize } from '../../../teams/authorize.ts';
import { recordForTeam } from '../../audit.store.ts';
import { requireOpenCustomer } from '../../customers/customer.ts';
import { ownedPlansOf } from '../../subscriptions/holding.ts';
import { readEligibility, reserveTrials } from '../../subscriptions/trials/trial.store.ts';
import { sessionIdsOf } from './checkout.store.ts';
import { expireCheckoutSession, type CheckoutStatus } from './expire-session.service.ts';
import type { PreparedCheckout } from './plan-order.ts';

/** A stored checkout. The sessions of replaced checkouts are expired or complete. */
export interface ReservedCheckout {
  checkout: StoredCheckout;
  /** The statuses of the replaced sessions: `complete` if one was paid in the meantime. */
  replacedStatuses: CheckoutStatus[];
}

/**
 * Continues the customer's stored checkout if cart and trial days are the same. Otherwise stores a new checkout, with a
 * trial if one is offered and available. For a team the audit log records a new checkout.
 *
 * Then expires the sessions of replaced checkouts, so that only one page can be paid. Each session costs as
 * `expireCheckoutSession`. The ids of these sessions are stored as `toExpire`, so that after a crash the next request
 * expires the sessions.
 *
 * The transaction authorizes the user again, because the right to buy for the team may have been lost since the request
 * began.
 *
 * @throws Refusal `customer_closed`; `already_owned` or `covered_by_owned` (for a team `team_already_owns` or
 *   `team_covered_by_owned`) if the plan or a higher one was bought by a one-time purchase; `team_not_found` or
 *   `forbidden` if the user is no longer allowed to buy for the team
 */
export async function reserveCheckout(
  backend: Backend,
  prepared: PreparedCheckout,
): Promise<ReservedCheckout> {
  const { config, db } = backend;
  // Undefined if no trial is offered.
  const hash = config.trialDays === 0 ? undefined : await openKeyedHash(db, backend.now());
  const checkout = await db.run((tx) => continueOrStore(backend, tx, prepared, hash));
  const stripe = await backend.stripe();
  const { toExpire = [] } = checkout;
  const replacedStatuses = await Promise.all(toExpire.map((id) => expireCheckoutSession(stripe, id)));
  return { checkout, replacedStatuses };
}

async function continueOrStore(
  { config, now: clock }: Backend,
  tx: Tx,
  prepared: PreparedCheckout,
  hash: KeyedHash | undefined,
): Promise<StoredCheckout> {
  const { subject, cart } = prepared;
  const { customerId } = subject;
  const now = clock();
  const [stored, eligibility] = await Promise.all([
    tx.customers.get(customerId),
    hash && readEligibility(tx, subject, { hash, now }),
    subject.type === 'team' && authorize(tx, { uid: subject.callerId }, customerId, 'billing:manage'),
  ]);
  const customer = requireOpenCustomer(stored, now);
  requireNotOwned(config, customer, prepared);
  const { checkout: current } = customer;
  const trialDays = eligibility?.isTrialAvailable === true ? config.trialDays : 0;
  const canContinue = current?.trialDays === trialDays && isDeepStrictEqual(cartOf(current), cart);
  // Nothing is written for a checkout that has its session.
  if (canContinue && current.sessionId !== undefined) return current;
  // The session is created after this transaction, and stays open for a day from then. The trial must stay reserved for
  // as long, so an earlier reservation is renewed.
  if (eligibility && trialDays > 0) reserveTrials(tx, eligibility, { customerId, reservedAt: now });
  if (canContinue) return current;
  return storeCheckout(tx, prepared, { trialDays, toExpire: sessionIdsOf(current), now });
}

/** The cart: a stored checkout without trial days, ids of users, key and sessions. */
const cartOf = (checkout: StoredCheckout): Cart => cartSchema.parse(checkout);

/** @throws Refusal `already_owned` if a one-time purchase has bought this plan, `covered_by_owned` for a higher plan */
function requireNotOwned(
  { plans }: Config,
  customer: CustomerDocument,
  { subject, plan }: Pick<PreparedCheckout, 'subject' | 'plan'>,
): void {
  const owned = ownedPlansOf(customer, plans);
  const isTeam = subject.type === 'team';
  if (owned.includes(plan)) throw refusal(isTeam ? 'team_already_owns' : 'already_owned');
  if (owned.some(({ slug }) => reaches(plans, slug, plan.slug))) {
    throw refusal(isTeam ? 'team_covered_by_owned' : 'covered_by_owned');
  }
}

function storeCheckout(
  tx: Tx,
  { subject, plan, cart }: PreparedCheckout,
  { trialDays, toExpire, now }: { trialDays: number; toExpire: string[]; now: Date },
): StoredCheckout {
  const { customerId, ownerId, callerId } = subject;
  const checkout = {
    ...cart,
    trialDays,
    ownerId,
    callerId,
    key: randomUUID(),
    ...(toExpire.length > 0 && { toExpire }),
  };
  tx.customers.update(customerId, { checkout });
  const details = { plan: plan.slug, quantity: String(cart.quantity) };
  recordForTeam(tx, subject, { action: 'billing.checkout_begun', at: now, details });
  return checkout;
}
