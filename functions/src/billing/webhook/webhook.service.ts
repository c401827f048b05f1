import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { skipIfDamaged } from '../../firestore/damage.ts';
import {
  copyCheckoutForExtension,
  copyInvoiceForExtension,
  copyPaymentIntentForExtension,
} from '../extension/payment-events.service.ts';
import { notifyOfFailedPayment, mailReceipt, notifyOfTrialEnd } from '../notices/notice.service.ts';
import { syncPriceOfEvent, syncProductOfEvent } from './events/catalogue-events.service.ts';
import { syncCheckoutOfEvent } from './events/checkout-events.service.ts';
import {
  syncDeletedCustomerOfEvent,
  syncEntitlementsOfEvent,
  syncPaymentMethodOfEvent,
} from './events/customer-events.service.ts';
import { syncDisputeOfEvent, syncPaymentOfEvent } from './events/purchase-events.service.ts';
import {
  syncInvoiceOfEvent,
  syncNewSubscriptionOfEvent,
  syncSubscriptionOfEvent,
} from './events/subscription-events.service.ts';
import { handleCanceledRefund, handleDispute, handleFailedRefund, handleRefund } from './reversal.service.ts';

type EventType = Stripe.Event['type'];
type Step<Type extends EventType> = (
  backend: Backend,
  event: Extract<Stripe.Event, { type: Type }>,
) => Promise<void>;

/** Each step is idempotent, except that a push message may be repeated. */
type Steps = { readonly [Type in EventType]?: readonly Step<Type>[] };

/**
 * If Stripe could not deliver an event of these types, the reconciliation runs its steps. Comparing the lists of Stripe
 * with our copies is not enough, because these steps also send mail, expire a checkout, sync objects that are in no
 * list, or need to know what has changed.
 */
const STEPS_TO_RERUN_IF_LOST: Steps = {
  'charge.dispute.closed': [syncDisputeOfEvent, handleDispute],
  'charge.dispute.created': [syncDisputeOfEvent, handleDispute],
  'charge.refunded': [syncPaymentOfEvent, handleRefund],
  'checkout.session.completed': [copyCheckoutForExtension, syncCheckoutOfEvent],
  'checkout.session.async_payment_succeeded': [copyCheckoutForExtension, syncCheckoutOfEvent],
  'checkout.session.async_payment_failed': [copyCheckoutForExtension, syncCheckoutOfEvent],
  'customer.deleted': [syncDeletedCustomerOfEvent],
  // Also expires an open checkout of the customer.
  'customer.subscription.created': [syncNewSubscriptionOfEvent],
  'customer.subscription.trial_will_end': [syncSubscriptionOfEvent, notifyOfTrialEnd],
  // Only this event shows that the default payment method was changed. The lists show only that a subscription has
  // another one, which the customer may have chosen on purpose.
  'customer.updated': [syncPaymentMethodOfEvent],
  'entitlements.active_entitlement_summary.updated': [syncEntitlementsOfEvent],
  'invoice.paid': [copyInvoiceForExtension, syncInvoiceOfEvent, mailReceipt],
  'invoice.payment_failed': [syncInvoiceOfEvent, notifyOfFailedPayment],
  // Stripe sends no event about the checkout if an operator cancels a bank transfer.
  'payment_intent.canceled': [copyPaymentIntentForExtension, syncPaymentOfEvent],
  'payment_intent.payment_failed': [copyPaymentIntentForExtension],
  'payment_intent.processing': [copyPaymentIntentForExtension],
  'payment_intent.succeeded': [copyPaymentIntentForExtension],
  'refund.failed': [handleFailedRefund],
  'refund.updated': [handleCanceledRefund],
};

/** The types of events whose steps the reconciliation runs if Stripe could not deliver the event. */
export const EVENTS_TO_RERUN_IF_LOST: readonly string[] = Object.keys(STEPS_TO_RERUN_IF_LOST);

/** These steps only sync. If one of these events is lost, the comparison of a reconciliation finds the drift. */
export const STEPS_THAT_ONLY_SYNC: Steps = {
  'customer.subscription.updated': [syncSubscriptionOfEvent],
  'customer.subscription.deleted': [syncSubscriptionOfEvent],
  'customer.subscription.paused': [syncSubscriptionOfEvent],
  'customer.subscription.resumed': [syncSubscriptionOfEvent],
  'invoice.payment_action_required': [syncInvoiceOfEvent],
  'price.created': [syncPriceOfEvent],
  'price.updated': [syncPriceOfEvent],
  'price.deleted': [syncPriceOfEvent],
  'product.created': [syncProductOfEvent],
  'product.updated': [syncProductOfEvent],
  'product.deleted': [syncProductOfEvent],
};

const STEPS: Steps = { ...STEPS_TO_RERUN_IF_LOST, ...STEPS_THAT_ONLY_SYNC };

/** The types of events that the webhook handles. */
export const HANDLED_EVENTS: readonly string[] = Object.keys(STEPS);

/**
 * Handles an event of Stripe. The event names an object, and the current state of this object is retrieved from Stripe.
 * Therefore events may come twice, late or in any order. These facts are taken from the event itself:
 *
 * - `customer.deleted`: the Stripe customer was deleted.
 * - `customer.updated`: whether the default payment method was changed.
 * - `charge.refunded`: whether the whole charge was refunded.
 * - `charge.dispute.*`: the status of the dispute.
 * - `refund.failed`, `refund.updated`: the payment that was to be refunded, the status and the reason.
 * - `checkout.session.*`: the checkout session by which a Stripe customer is adopted.
 * - `invoice.*`: the amount, the currency and the URL of the invoice, which the mail shows.
 *
 * If a document is damaged, this is logged, and the reconciliation does the work after the repair:
 *
 * - For a type in `EVENTS_TO_RERUN_IF_LOST`, this function throws. Stripe lists the event as undelivered, and the
 *   reconciliation runs its steps.
 * - For every other type it returns, and the event counts as handled. The reconciliation finds the drift by comparing.
 *
 * @throws Refusal that is a fault or an outage, or an error of Stripe or Cloud Tasks: Stripe sends the event again
 */
export async function handleEvent(backend: Backend, event: Stripe.Event): Promise<void> {
  const failsOnDamage = EVENTS_TO_RERUN_IF_LOST.includes(event.type);
  await (failsOnDamage ? runSteps(backend, event) : skipIfDamaged(() => runSteps(backend, event)));
}

async function runSteps(backend: Backend, event: Stripe.Event): Promise<void> {
  // TypeScript does not see that these are the steps for the type of this event.
  const steps = (STEPS[event.type] ?? []) as readonly Step<EventType>[];
  for (const step of steps) await step(backend, event);
}
