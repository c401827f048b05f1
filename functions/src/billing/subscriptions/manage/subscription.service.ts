import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import type { Plan } from '../../../settings/plans.ts';
import { intervalOf } from '../../catalogue/interval.ts';
import { withStripeRefusals } from '../../stripe/stripe-errors.ts';
import { idOf } from '../../stripe/stripe-ids.ts';
import type { Subject } from '../../subject.ts';
import { addOnsOf } from '../add-on-items.ts';
import type { ExpandedSubscription } from '../from-stripe/bank-debit.ts';
import { findInvoiceToPay } from '../from-stripe/invoice-to-pay.ts';
import { readPlanSubscription, type PlanSubscription } from '../from-stripe/plan-subscriptions.service.ts';
import { seatItemOf } from '../plan-item.ts';
import { planOfPhase } from '../schedules/operator-schedule.service.ts';
import { endOf } from '../status.ts';
import { syncSubscription } from '../sync/sync.service.ts';
import { findPlannedPhase } from '../wanted-items/planned-change.ts';
import { requirePlanSubscription } from './require-plan-subscription.service.ts';
import {
  instantOf,
  type ManagedSubscriptionView,
  type OpenPaymentView,
  type PlannedChangeView,
} from './subscription.view.ts';

/**
 * One call to Stripe, one more if a change of plan is planned, and up to one more for the invoice to pay.
 *
 * @throws Refusal `user_has_no_subscription`, `team_has_no_subscription`
 */
export async function getSubscription(backend: Backend, subject: Subject): Promise<ManagedSubscriptionView> {
  return withStripeRefusals(async () =>
    describeSubscription(backend, await requirePlanSubscription(backend, subject)),
  );
}

/** Costs up to one call to Stripe for the schedule, and up to one for the invoice to pay. */
async function describeSubscription(
  backend: Backend,
  current: PlanSubscription,
): Promise<ManagedSubscriptionView> {
  const { subscription, stripeItem: item, items, plan } = current;
  const { id, status } = subscription;
  const end = endOf(subscription, item.current_period_end);
  return {
    id,
    status,
    plan: plan.slug,
    interval: intervalOf(item.price),
    quantity: item.quantity ?? 1,
    seats: seatsOf(items, plan, item),
    addOns: addOnsOf(items, backend.config),
    currentPeriodEnd: instantOf(item.current_period_end),
    endsAt: end === null ? null : instantOf(end),
    plannedChange: await plannedChangeOf(backend, current),
    payment: openPaymentOf(await findInvoiceToPay(await backend.stripe(), subscription)),
  };
}

function seatsOf(
  items: PlanSubscription['items'],
  plan: Plan,
  { id }: Pick<Stripe.SubscriptionItem, 'id'>,
): number | null {
  const planLookupKey = items.find((item) => item.id === id)?.lookupKey ?? null;
  return seatItemOf(items, plan, planLookupKey)?.quantity ?? null;
}

/**
 * Copies a subscription that was changed at Stripe, so that the caller sees the change before the event arrives.
 *
 * @param current the subscription before the change
 * @param changed the subscription that Stripe returned for the change
 */
export async function finishChange(
  backend: Backend,
  { customerId }: Subject,
  current: PlanSubscription,
  changed: ExpandedSubscription,
): Promise<ManagedSubscriptionView> {
  await syncSubscription(backend, customerId, changed.id);
  const now = (await readPlanSubscription(backend, customerId, changed)) ?? current;
  return describeSubscription(backend, now);
}

async function plannedChangeOf(
  backend: Backend,
  current: PlanSubscription,
): Promise<PlannedChangeView | null> {
  const { schedule } = current.subscription;
  if (schedule === null) return null;
  const planned = await findPlannedPhase(await backend.stripe(), idOf(schedule));
  if (planned === undefined) return null;
  const { plan, interval } = await planOfPhase(backend, current, planned);
  return {
    plan: plan?.slug ?? null,
    interval,
    at: instantOf(planned.phase.start_date),
  };
}

function openPaymentOf(invoice: Stripe.Invoice | null): OpenPaymentView | null {
  if (invoice === null) return null;
  const { amount_remaining: amountDue, currency, hosted_invoice_url: url } = invoice;
  if (amountDue === 0 || !url) return null;
  return { url, amountDue, currency };
}
