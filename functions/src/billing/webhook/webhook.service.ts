import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { giveUpIfDamaged } from '../damaged.ts';
import {
  copyCheckoutForExtension,
  copyInvoiceForExtension,
  copyPaymentIntentForExtension,
} from '../extension/payment-events.ts';
import { notifyFailedPayment, mailReceipt, mailTrialEnding } from '../notices/plan-mail.service.ts';
import { handleDispute, handleRefund } from './reversals/reversal.service.ts';
import {
  syncChargeOfEvent,
  syncCheckoutOfEvent,
  syncDeletedCustomerOfEvent,
  syncDisputeOfEvent,
  syncEntitlementsOfEvent,
  syncInvoiceOfEvent,
  syncNewSubscriptionOfEvent,
  syncPriceOfEvent,
  syncProductOfEvent,
  syncSubscriptionOfEvent,
} from './sync-of-event.service.ts';

type EventType = Stripe.Event['type'];
type Step<Type extends EventType> = (
  backend: Backend,
  event: Extract<Stripe.Event, { type: Type }>,
) => Promise<void>;

/**
 * The steps for each type of event, in their order. Each step is idempotent, except that a push message may be
 * repeated. Events of other types are ignored.
 */
const STEPS: { readonly [Type in EventType]?: readonly Step<Type>[] } = {
  'charge.dispute.closed': [syncDisputeOfEvent, handleDispute],
  'charge.dispute.created': [syncDisputeOfEvent, handleDispute],
  'charge.refunded': [syncChargeOfEvent, handleRefund],
  'checkout.session.completed': [copyCheckoutForExtension, syncCheckoutOfEvent],
  'checkout.session.async_payment_succeeded': [copyCheckoutForExtension, syncCheckoutOfEvent],
  'checkout.session.async_payment_failed': [copyCheckoutForExtension, syncCheckoutOfEvent],
  'customer.deleted': [syncDeletedCustomerOfEvent],
  'customer.subscription.created': [syncNewSubscriptionOfEvent],
  'customer.subscription.updated': [syncSubscriptionOfEvent],
  'customer.subscription.deleted': [syncSubscriptionOfEvent],
  'customer.subscription.paused': [syncSubscriptionOfEvent],
  'customer.subscription.resumed': [syncSubscriptionOfEvent],
  'customer.subscription.trial_will_end': [syncSubscriptionOfEvent, mailTrialEnding],
  'entitlements.active_entitlement_summary.updated': [syncEntitlementsOfEvent],
  'invoice.paid': [copyInvoiceForExtension, syncInvoiceOfEvent, mailReceipt],
  'invoice.payment_failed': [syncInvoiceOfEvent, notifyFailedPayment],
  'invoice.payment_action_required': [syncInvoiceOfEvent],
  'payment_intent.canceled': [copyPaymentIntentForExtension],
  'payment_intent.payment_failed': [copyPaymentIntentForExtension],
  'payment_intent.processing': [copyPaymentIntentForExtension],
  'payment_intent.succeeded': [copyPaymentIntentForExtension],
  'price.created': [syncPriceOfEvent],
  'price.updated': [syncPriceOfEvent],
  'price.deleted': [syncPriceOfEvent],
  'product.created': [syncProductOfEvent],
  'product.updated': [syncProductOfEvent],
  'product.deleted': [syncProductOfEvent],
};

/** The types of events that the webhook handles. */
export const HANDLED_EVENTS: readonly string[] = Object.keys(STEPS);

/**
 * The steps that only sync a subscription, product or price. If an event with only these steps is lost, the
 * reconciliation finds the drift in Stripe's lists. `syncNewSubscriptionOfEvent` is not among these steps, because it
 * also expires an open checkout.
 */
const STEPS_COVERED_BY_RECONCILIATION: ReadonlySet<unknown> = new Set([
  syncInvoiceOfEvent,
  syncPriceOfEvent,
  syncProductOfEvent,
  syncSubscriptionOfEvent,
]);

/**
 * The types of events with a step that nothing but the event can start, such as a mail. If the event is lost, no drift
 * shows that this step is missing. Only Stripe's list of undelivered events shows the event. A request for that list
 * can name at most 20 types.
 */
export const EVENTS_THAT_MUST_NOT_BE_LOST: readonly string[] = Object.entries(STEPS)
  .filter(([, steps]) => steps.some((step) => !STEPS_COVERED_BY_RECONCILIATION.has(step)))
  .map(([type]) => type);

/**
 * Handles an event of Stripe. An event names the object to sync. The current state of that object is retrieved from
 * Stripe, so events may come twice, late or in any order. These facts are taken from the event itself:
 *
 * - `customer.deleted`: the Stripe customer was deleted.
 * - `charge.refunded`: the charge was fully refunded.
 * - `charge.dispute.*`: the status of the dispute.
 * - `checkout.session.*`: the checkout session that is adopted.
 * - `invoice.*`: the invoice in the mail.
 *
 * Events of Stripe customers that are not ours are ignored, unless a completed checkout names our user or team.
 *
 * If the handling meets a damaged document, there are two cases:
 *
 * - An event of `EVENTS_THAT_MUST_NOT_BE_LOST` fails. Stripe lists it as undelivered, and the reconciliation handles
 *   it.
 * - Every other event counts as handled, and the fault is logged. After the repair the reconciliation syncs the object.
 *
 * @throws Refusal that is a fault or an outage, or an error of Cloud Tasks: Stripe sends the event again
 */
export async function handleEvent(backend: Backend, event: Stripe.Event): Promise<void> {
  const failsOnDamage = EVENTS_THAT_MUST_NOT_BE_LOST.includes(event.type);
  await (failsOnDamage ? runSteps(backend, event) : giveUpIfDamaged(() => runSteps(backend, event)));
}

async function runSteps(backend: Backend, event: Stripe.Event): Promise<void> {
  // The type of `STEPS` pairs each type of event with its steps. TypeScript cannot follow that pair through an index.
  const steps = (STEPS[event.type] ?? []) as readonly Step<EventType>[];
  for (const step of steps) await step(backend, event);
}
