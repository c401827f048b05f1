import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { refuse } from '../../refusals.ts';
import type { Interval, PaidPlan } from '../../settings/plans.ts';
import { requireIsFor, findPriceId, quantityToBuy, requirePaidPlan } from '../catalogue/paid-plan.ts';
import type { Subject } from '../customers/subject.ts';
import { guardStripe } from '../stripe/stripe-errors.ts';
import { recordBillingAction } from '../audit.ts';
import { finishChange } from './subscription.service.ts';
import { instantOf, type ChangePreviewView, type ManagedSubscriptionView } from './manage.view.ts';
import { RETRIEVE } from '../subscriptions/subscription-document.ts';
import { type PlanSubscription } from '../overlap/plan-subscriptions.ts';
import { requirePlanSubscription } from './plan-subscription.ts';
import { discardPlannedChange, planAtPeriodEnd, type PlannedItem } from './schedule.ts';

/** A wish to change the plan of a subscription. */
export interface PlanChange {
  /** Slug of the new plan. */
  plan: string;
  /** By the month by default, or by the year if the plan has no monthly price. */
  interval?: Interval | undefined;
  when: 'now' | 'period_end';
  /** Second for which a preview has computed the amount, so that the change costs the same. */
  prorationDate?: number | undefined;
}

/** A change that is possible. */
interface PreparedChange {
  current: PlanSubscription;
  plan: PaidPlan;
  planned: PlannedItem;
}

/**
 * Changes the plan of a running subscription, now or at the end of the paid period.
 *
 * A change now charges or credits the difference for the rest of the period at once. If that payment fails, the plan
 * stays as it is, and `payment` has the invoice whose payment makes the change.
 * https://docs.stripe.com/billing/subscriptions/pending-updates
 *
 * Idempotent: a change to the current plan and interval only discards a planned change.
 *
 * @throws Refusal `subscription_not_found`, `subscription_ending`, `invoice_unpaid`, `plan_not_found`, `plan_is_free`,
 *   `plan_not_for_subject`, `interval_not_offered`, `billing_unavailable`, `auth_unavailable`, `busy`
 */
export async function changePlan(
  backend: Backend,
  subject: Subject,
  change: PlanChange,
): Promise<ManagedSubscriptionView> {
  return guardStripe(async () => {
    const prepared = await prepare(backend, subject, change);
    await recordBillingAction(backend, subject, 'billing.change_requested', {
      plan: change.plan,
      interval: change.interval ?? null,
      when: change.when,
    });
    const stripe = await backend.stripe();
    const subscription = await (change.when === 'now'
      ? changeNow(stripe, prepared, change.prorationDate)
      : changeAtPeriodEnd(stripe, prepared));
    return finishChange(backend, subject, prepared.current, subscription);
  });
}

/**
 * The invoice that a change of plan would make: now, or at the end of the period. Changes nothing.
 *
 * @throws Refusal the same as `changePlan`
 */
export async function previewChange(
  backend: Backend,
  subject: Subject,
  change: PlanChange,
): Promise<ChangePreviewView> {
  return guardStripe(async () => {
    const { current, planned } = await prepare(backend, subject, change);
    const isNow = change.when === 'now';
    const prorationDate = isNow ? Math.floor(backend.now().getTime() / 1000) : null;
    const stripe = await backend.stripe();
    const { amount_due, currency, lines } = await stripe.invoices.createPreview({
      subscription: current.subscription.id,
      subscription_details: {
        items: [{ id: current.item.id, ...planned }],
        proration_behavior: isNow ? 'always_invoice' : 'none',
        ...(prorationDate !== null && { proration_date: prorationDate }),
      },
    });
    return {
      amountDue: amount_due,
      currency,
      dueAt: instantOf(prorationDate ?? current.item.current_period_end),
      prorationDate,
      lines: lines.data.map(({ description, amount }) => ({ description, amount })),
    };
  });
}

async function prepare(
  backend: Backend,
  subject: Subject,
  { plan: slug, interval }: PlanChange,
): Promise<PreparedChange> {
  const plan = requirePaidPlan(backend.config.plans, slug);
  requireIsFor(plan, subject.type);
  const current = await requirePlanSubscription(backend, subject);
  requireChangeable(current.subscription);
  const stripe = await backend.stripe();
  const [price, quantity] = await Promise.all([
    findPriceId(stripe, plan, interval),
    quantityToBuy(backend.db, subject, plan),
  ]);
  return { current, plan, planned: { price, quantity } };
}

/** Stripe would restart a cancelled subscription, and charge an unpaid one for the old plan. */
function requireChangeable({ cancel_at: cancelAt, status }: Stripe.Subscription): void {
  if (cancelAt !== null) throw refuse('subscription_ending');
  if (status !== 'active' && status !== 'trialing') throw refuse('invoice_unpaid');
}

async function changeNow(
  stripe: Stripe,
  { current: { subscription, item }, planned }: PreparedChange,
  prorationDate: number | undefined,
): Promise<Stripe.Subscription> {
  await discardPlannedChange(stripe, subscription);
  if (item.price.id === planned.price) return { ...subscription, schedule: null };
  return stripe.subscriptions.update(subscription.id, {
    items: [{ id: item.id, ...planned }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    ...(prorationDate !== undefined && { proration_date: prorationDate }),
    ...RETRIEVE,
  });
}

async function changeAtPeriodEnd(
  stripe: Stripe,
  { current: { subscription, item }, planned }: PreparedChange,
): Promise<Stripe.Subscription> {
  if (item.price.id === planned.price) {
    await discardPlannedChange(stripe, subscription);
    return { ...subscription, schedule: null };
  }
  return { ...subscription, schedule: await planAtPeriodEnd(stripe, subscription, item.id, planned) };
}
