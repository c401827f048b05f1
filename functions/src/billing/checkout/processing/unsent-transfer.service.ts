import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import type { OneTimePurchase } from '../../../firestore/documents/purchase.ts';
import { hasRefusalCode } from '../../../refusals/refusals.ts';
import type { Plan } from '../../../settings/plans.ts';
import { intentOf, RETRIEVE_PAYMENT } from '../../purchases/purchase-state.ts';
import { findStoredSession } from '../../stripe/checkout-sessions.ts';
import { processingPurchases } from './processing-payments.store.ts';

/**
 * Runs `reserve`. If it is refused because a bank transfer is awaited for the plan, abandons the transfer and runs
 * `reserve` once more. Stripe awaits a bank transfer for ever, so a customer who has chosen one and never sends it
 * could never buy the plan.
 *
 * Only a bank transfer of which no money has arrived is abandoned. Stripe does not cancel the payment of a checkout:
 * https://docs.stripe.com/api/payment_intents/cancel. If the money arrives nevertheless, the customer gets the plan,
 * and an error is logged: see `reportAbandonedPayment`.
 *
 * A voucher stays: the customer may have paid it in a shop, which Stripe learns days later. It expires by itself.
 *
 * @param plan undefined for credits, which a payment on its way does not hinder
 * @throws every error of `reserve`, such as the refusal of another payment on its way
 */
export async function reserveDespiteUnsentBankTransfer<Value>(
  backend: Backend,
  customerId: string,
  plan: Plan | undefined,
  reserve: () => Promise<Value>,
): Promise<Value> {
  try {
    return await reserve();
  } catch (error) {
    if (plan === undefined || !hasRefusalCode(error, 'payment_processing')) throw error;
    if (!(await abandonUnsentTransfers(backend, customerId, plan))) throw error;
    return reserve();
  }
}

/** @returns true if a transfer was abandoned, or has arrived meanwhile */
async function abandonUnsentTransfers(backend: Backend, customerId: string, plan: Plan): Promise<boolean> {
  const { config, db } = backend;
  const purchases = await processingPurchases(db, config.plans, customerId, plan);
  let hasChange = false;
  for (const { id, data } of purchases) {
    if (!(await isUnsentTransfer(await backend.stripe(), data))) continue;
    await db.run(async (tx) => {
      const current = await tx.purchases(customerId).get(id);
      if (current?.status === 'processing') tx.purchases(customerId).update(id, { isAbandoned: true });
    });
    hasChange = true;
  }
  return hasChange;
}

/** True if the payment of a purchase waits for a bank transfer of which no money has arrived. */
async function isUnsentTransfer(stripe: Stripe, { sessionId }: OneTimePurchase): Promise<boolean> {
  const session =
    sessionId === null ? undefined : await findStoredSession(stripe, sessionId, RETRIEVE_PAYMENT);
  const intent = session && intentOf(session);
  if (!intent || intent.status !== 'requires_action') return false;
  const remaining = intent.next_action?.display_bank_transfer_instructions?.amount_remaining;
  return remaining === intent.amount;
}
