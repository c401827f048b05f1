import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import type { OneTimePurchase } from '../../../firestore/documents/purchase.ts';
import { hasRefusalCode } from '../../../refusals/refusals.ts';
import type { Plan } from '../../../settings/plans.ts';
import { intentOf, RETRIEVE_PAYMENT } from '../../purchases/purchase-state.ts';
import { syncOneTimePurchase } from '../../purchases/sync-purchase.service.ts';
import { findStoredSession } from '../../stripe/checkout-sessions.ts';
import { isInvalidRequest } from '../../stripe/stripe-errors.ts';
import { processingPurchases } from './processing-payments.store.ts';

/**
 * Runs `reserve`. If it is refused because a bank transfer is awaited for the plan, cancels the payment and runs
 * `reserve` once more. Stripe awaits a bank transfer for ever, so a customer who has chosen one and never sends it
 * could never buy the plan.
 *
 * Only a bank transfer of which no money has arrived is cancelled. Money that arrives later is not lost: it goes to the
 * customer's cash balance at Stripe. https://docs.stripe.com/payments/customer-balance
 *
 * A voucher stays: the customer may have paid it in a shop, which Stripe learns days later. It expires by itself.
 *
 * @param plan undefined for credits, which a payment on its way does not hinder
 * @throws every error of `reserve`, such as the refusal of another payment on its way
 */
export async function withoutUnsentTransfer<Value>(
  backend: Backend,
  customerId: string,
  plan: Plan | undefined,
  reserve: () => Promise<Value>,
): Promise<Value> {
  try {
    return await reserve();
  } catch (error) {
    if (plan === undefined || !hasRefusalCode(error, 'payment_processing')) throw error;
    if (!(await cancelUnsentTransfers(backend, customerId, plan))) throw error;
    return reserve();
  }
}

/** @returns true if a payment was cancelled */
async function cancelUnsentTransfers(backend: Backend, customerId: string, plan: Plan): Promise<boolean> {
  const { config, db } = backend;
  const purchases = await processingPurchases(db, config.plans, customerId, plan);
  let isOneCancelled = false;
  for (const { id: purchaseId, data } of purchases) {
    const intent = await findUnsentTransfer(await backend.stripe(), data);
    if (intent === undefined) continue;
    await cancelUnlessPaid(await backend.stripe(), intent.id);
    await syncOneTimePurchase(backend, { customerId, purchaseId });
    isOneCancelled = true;
  }
  return isOneCancelled;
}

/** The payment intent of a purchase, if it waits for a bank transfer of which no money has arrived. */
async function findUnsentTransfer(
  stripe: Stripe,
  { sessionId }: OneTimePurchase,
): Promise<Stripe.PaymentIntent | undefined> {
  const session =
    sessionId === null ? undefined : await findStoredSession(stripe, sessionId, RETRIEVE_PAYMENT);
  const intent = session && intentOf(session);
  if (!intent || intent.status !== 'requires_action') return undefined;
  const remaining = intent.next_action?.display_bank_transfer_instructions?.amount_remaining;
  return remaining === intent.amount ? intent : undefined;
}

/** Stripe refuses to cancel a payment that has arrived or was cancelled in the meantime. */
async function cancelUnlessPaid(stripe: Stripe, intentId: string): Promise<void> {
  try {
    await stripe.paymentIntents.cancel(intentId, { cancellation_reason: 'abandoned' });
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
  }
}
