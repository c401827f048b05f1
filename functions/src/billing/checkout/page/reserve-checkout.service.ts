import { randomUUID } from 'node:crypto';
import type { Backend } from '../../../backend.ts';
import type { Tx } from '../../../firestore/db.ts';
import type { StoredCheckout } from '../../../firestore/documents/checkout.ts';
import { loadHashFunction, type HashFunction } from '../../../personal-data/keyed-hash.ts';
import { authorize } from '../../../teams/authorize.store.ts';
import { recordForTeamIn } from '../../audit.store.ts';
import { expireCheckoutSession, type SessionStatus } from '../../stripe/checkout-sessions.ts';
import type { Subject } from '../../subject.ts';
import {
  readTrialEligibility,
  renewReservation,
  reserveTrials,
} from '../../subscriptions/trials/trial.store.ts';
import { requireNoPaymentProcessing } from '../processing/processing-payments.store.ts';
import { reserveDespiteUnsentBankTransfer } from '../processing/unsent-transfer.service.ts';
import { sessionIdsToExpire } from '../stored/sessions-to-expire.ts';
import type { PreparedCheckout } from './checkout-shapes.ts';
import { requireNotOwned, requireOpenCustomerLinkedTo } from './customer-may-buy.ts';
import { isForCart } from './same-cart.ts';

export interface ReservedCheckout {
  checkout: StoredCheckout;
  /** The statuses of the replaced checkout sessions, of which none is open any more. */
  replacedSessionStatuses: SessionStatus[];
}

/**
 * Continues the customer's stored checkout if cart and trial days are the same. Otherwise stores a new checkout.
 *
 * After the commit, expires the sessions of replaced checkouts, so that only one page can be paid. If the process dies
 * before that, the next request finds these sessions in `replacedSessionIds`.
 *
 * @throws Refusal as `requireOpenCustomerLinkedTo`, `requireNotOwned` and `requireNoPaymentProcessing`;
 *   `team_not_found` or `forbidden` if the user is no longer allowed to buy for the team
 */
export async function reserveCheckout(
  backend: Backend,
  prepared: PreparedCheckout,
): Promise<ReservedCheckout> {
  const { config, db } = backend;
  // Only a trial needs the hash of an address.
  const offersTrial = config.trialDays > 0;
  const hashAddress = offersTrial ? await loadHashFunction(db, backend.now()) : undefined;
  const { subject, plan } = prepared;
  const reserve = () => db.run((tx) => continueOrStore(backend, tx, prepared, hashAddress));
  // If only a bank transfer that nobody has sent hinders the checkout, abandons the transfer and reserves once more.
  const checkout = await reserveDespiteUnsentBankTransfer(backend, subject.customerId, plan, reserve);
  const stripe = await backend.stripe();
  const { replacedSessionIds = [] } = checkout;
  const replacedSessionStatuses = await Promise.all(
    replacedSessionIds.map((id) => expireCheckoutSession(stripe, id)),
  );
  return { checkout, replacedSessionStatuses };
}

async function continueOrStore(
  backend: Backend,
  tx: Tx,
  prepared: PreparedCheckout,
  hashAddress: HashFunction | undefined,
): Promise<StoredCheckout> {
  const { config } = backend;
  const { subject, plan, cart, stripeCustomerId } = prepared;
  const { customerId } = subject;
  const now = backend.now();
  const [existingCustomer, eligibility] = await Promise.all([
    tx.customers.get(customerId),
    hashAddress && readTrialEligibility(tx, subject, { hashAddress, now }),
    requireStillAllowed(tx, subject),
    requireNoPaymentProcessing(tx, config.plans, customerId, plan),
  ]);
  const customer = requireOpenCustomerLinkedTo(existingCustomer, { stripeCustomerId, now });
  requireNotOwned(config.plans, customer, { type: subject.type, plan });
  const { checkout } = customer;
  // A trial that this customer has reserved is still available to this customer. So a repeated request has the same
  // trial days.
  const trialDaysForCaller = eligibility?.isTrialAvailable === true ? config.trialDays : 0;
  if (checkout?.trialDays === trialDaysForCaller && isForCart(checkout, cart)) {
    // The stored checkout has reserved the trial of its own buyer, who may be another person. It is continued only if
    // that trial is still available.
    const keepsTrial = await keepTrialIfAvailable(tx, customerId, checkout, now);
    if (keepsTrial) return checkout;
  }
  if (eligibility && trialDaysForCaller > 0) reserveTrials(tx, eligibility, { customerId, reservedAt: now });
  const replacedSessionIds = sessionIdsToExpire(checkout);
  return storeCheckout(tx, prepared, { trialDays: trialDaysForCaller, replacedSessionIds, now });
}

/** The caller may have lost the right to buy for the team since the request began. */
async function requireStillAllowed(tx: Tx, { type, customerId, actor }: Subject): Promise<void> {
  if (type === 'team') await authorize(tx, actor, customerId, 'billing:manage');
}

/**
 * Keeps the trial of a stored checkout, for the buyer who began it. With a session nothing is checked, because the
 * reservation outlives the session. Without a session, checks the trial and renews its reservation.
 *
 * A reservation lasts 25 hours, an hour longer than a session. Example: a checkout is stored today at 10:00, and its
 * process dies before there is a session. The reservation ends tomorrow at 11:00. A request today at 14:00 creates the
 * session, which can be paid until tomorrow at 14:00. Without the renewal another checkout could use the trial between
 * 11:00 and 14:00.
 *
 * @returns false if the trial is no longer available. Then the checkout cannot be continued
 */
async function keepTrialIfAvailable(
  tx: Tx,
  customerId: string,
  { sessionId, trialDays, ownerId, buyerId }: StoredCheckout,
  now: Date,
): Promise<boolean> {
  if (sessionId !== undefined || trialDays === 0) return true;
  return renewReservation(tx, { customerId, personIds: [ownerId, buyerId] }, now);
}

function storeCheckout(
  tx: Tx,
  { subject, plan, cart }: PreparedCheckout,
  { trialDays, replacedSessionIds, now }: { trialDays: number; replacedSessionIds: string[]; now: Date },
): StoredCheckout {
  const { customerId, ownerId, actor } = subject;
  const checkout = {
    ...cart,
    trialDays,
    ownerId,
    buyerId: actor.uid,
    idempotencyKey: randomUUID(),
    ...(replacedSessionIds.length > 0 && { replacedSessionIds }),
  };
  tx.customers.update(customerId, { checkout });
  const details = { plan: plan.slug, quantity: String(cart.quantity) };
  recordForTeamIn(tx, subject, { action: 'billing.checkout_begun', at: now, details });
  return checkout;
}
