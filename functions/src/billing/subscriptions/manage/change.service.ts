import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { isForPlan } from '../../../settings/extras.ts';
import type { Interval } from '../../../settings/plans.ts';
import { recordForTeam } from '../../audit.store.ts';
import { intervalOf } from '../../catalogue/interval.ts';
import {
  requireIntervalPrice,
  requirePaidPlan,
  requireSameCurrency,
  requireOfferedTo,
} from '../../catalogue/offer-rules.ts';
import { underLease } from '../../lease.store.ts';
import { readAllLines } from '../../stripe/invoice.ts';
import { withStripeRefusals } from '../../stripe/stripe-errors.ts';
import type { Subject } from '../../subject.ts';
import { heldAddOns } from '../access/limits.ts';
import { addOnsOf } from '../add-on-items.ts';
import type { ExpandedSubscription } from '../from-stripe/bank-debit.ts';
import { type PlanSubscription } from '../from-stripe/plan-subscriptions.service.ts';
import { requireNoOperatorSchedule } from '../schedules/operator-schedule.service.ts';
import { changeItemsNow } from '../wanted-items/change-now.service.ts';
import {
  requireChangeable,
  requireOpenInvoicesPaid,
  requireUsageKept,
} from '../wanted-items/change-rules.ts';
import { changesTo, itemsAfter, newPeriodIf, type ItemChange } from '../wanted-items/item-changes.ts';
import { makeLineItems } from '../wanted-items/line-items.service.ts';
import { discardPlannedChange, setPlannedChange } from '../wanted-items/planned-change.ts';
import { requireRecentPreview } from './proration-date.ts';
import { noSubscription, requirePlanSubscription } from './require-plan-subscription.service.ts';
import { finishChange } from './subscription.service.ts';
import { instantOf, type ChangePreviewView, type ManagedSubscriptionView } from './subscription.view.ts';

/** The plan that a caller wants instead of the current one. */
export interface PlanChangeRequest {
  /** Slug of the new plan. */
  plan: string;
  /** By default the month, or the year if the plan has no monthly price. */
  interval?: Interval | undefined;
  when: 'now' | 'period_end';
  /**
   * The `prorationDate` of a preview: see `requireRecentPreview`. With this date, the change costs the amount that the
   * preview has shown.
   */
  prorationDate?: number | undefined;
}

interface PreparedChange {
  current: PlanSubscription;
  /** Empty if the subscription has this plan and interval already, also at a price that is no longer sold. */
  items: ItemChange[];
  /** True for a change from month to year, or back. */
  changesInterval: boolean;
}

/**
 * Changes the plan of a running subscription, now or at the end of the paid period. A change to the current plan and
 * interval discards a planned change. Idempotent.
 *
 * @throws Refusal as its route declares
 */
export async function changePlan(
  backend: Backend,
  subject: Subject,
  change: PlanChangeRequest,
): Promise<ManagedSubscriptionView> {
  const work = async () => makeChange(backend, subject, change, await prepare(backend, subject, change));
  if (subject.type === 'team') return changeUnderLease(backend, subject, work);
  return withStripeRefusals(async () => {
    const prepared = await prepare(backend, subject, change);
    // A change that adds a line item must not run twice at the same time.
    const addsItem = change.when === 'now' && prepared.items.some((item) => !('id' in item));
    return addsItem
      ? changeUnderLease(backend, subject, work)
      : makeChange(backend, subject, change, prepared);
  });
}

async function makeChange(
  backend: Backend,
  subject: Subject,
  change: PlanChangeRequest,
  prepared: PreparedChange,
): Promise<ManagedSubscriptionView> {
  if (change.when === 'now' && prepared.items.length > 0) {
    requireRecentPreview(backend, prepared.current, change.prorationDate);
  }
  await recordForTeam(backend, subject, 'billing.change_requested', {
    plan: change.plan,
    interval: change.interval ?? null,
    when: change.when,
  });
  const subscription = await (change.when === 'now'
    ? changeNow(backend, subject, prepared, change.prorationDate)
    : changeAtPeriodEnd(await backend.stripe(), prepared));
  return finishChange(backend, subject, prepared.current, subscription);
}

/**
 * Changes a subscription under the lease that seat syncs use too. Without the lease, a concurrent change or seat sync
 * could add the same line item, overwrite a planned change, or send the seats of the former plan to the new plan.
 *
 * @throws Refusal `user_has_no_subscription`, `team_has_no_subscription` for a user or team that is no customer; `busy`
 *   while another change or a seat sync has the lease
 */
export async function changeUnderLease(
  backend: Backend,
  { type, customerId }: Subject,
  change: () => Promise<ManagedSubscriptionView>,
): Promise<ManagedSubscriptionView> {
  const work = () => withStripeRefusals(change);
  const changed = await underLease(backend, { customerId, kind: 'line-items' }, work);
  if (changed === undefined) throw noSubscription({ type });
  return changed;
}

/** Changes a subscription as `changeUnderLease` does. A user needs no lease here, because a user has no seat syncs. */
export async function changeWithoutSeatSync(
  backend: Backend,
  subject: Subject,
  change: () => Promise<ManagedSubscriptionView>,
): Promise<ManagedSubscriptionView> {
  return subject.type === 'team' ? changeUnderLease(backend, subject, change) : withStripeRefusals(change);
}

/**
 * The invoice that a change would make. Changes nothing.
 *
 * @throws Refusal as its route declares
 */
export async function previewChange(
  backend: Backend,
  subject: Subject,
  change: PlanChangeRequest,
): Promise<ChangePreviewView> {
  return withStripeRefusals(async () => {
    const { current, ...rest } = await prepare(backend, subject, change);
    return previewItems(backend, current, { ...rest, when: change.when });
  });
}

/**
 * Makes one call to Stripe, and one more for each 100 lines if the invoice has more than ten. Makes none if `items` is
 * empty, because such a change makes no invoice.
 */
export async function previewItems(
  backend: Backend,
  { subscription, stripeItem: item }: PlanSubscription,
  { items, changesInterval, when }: Omit<PreparedChange, 'current'> & Pick<PlanChangeRequest, 'when'>,
): Promise<ChangePreviewView> {
  const isNow = when === 'now';
  const now = Math.floor(backend.now().getTime() / 1000);
  const prorationDate = isNow ? now : null;
  // The first invoice after a trial charges a change that was made during the trial.
  const isDueNow = isNow && subscription.status !== 'trialing';
  const dueAt = instantOf(isDueNow ? now : item.current_period_end);
  if (items.length === 0) {
    return { amountDue: 0, currency: subscription.currency, dueAt, prorationDate, lines: [] };
  }
  const stripe = await backend.stripe();
  const invoice = await stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: {
      items,
      proration_behavior: isNow ? 'always_invoice' : 'none',
      // Also for a planned change: its first invoice costs as much as a whole period that begins now.
      ...newPeriodIf(changesInterval, subscription),
      ...(isNow && { proration_date: now }),
    },
  });
  const lines = await readAllLines(stripe, invoice);
  return {
    amountDue: invoice.amount_due,
    currency: invoice.currency,
    dueAt,
    prorationDate,
    lines: lines.map(({ description, amount }) => ({ description, amount })),
  };
}

async function prepare(
  backend: Backend,
  subject: Subject,
  { plan: slug, interval, when }: PlanChangeRequest,
): Promise<PreparedChange> {
  const plan = requirePaidPlan(backend.config.plans, slug);
  requireOfferedTo(plan, subject.type);
  const current = await requirePlanSubscription(backend, subject);
  const { config, db, stripe: loadStripe } = backend;
  const stripe = await loadStripe();
  await requireNoOperatorSchedule(backend, current);
  requireChangeable(current.subscription);
  const wanted = requireIntervalPrice(plan, interval);
  const changesInterval = intervalOf(current.stripeItem.price) !== wanted.interval;
  if (current.plan === plan && !changesInterval) return { current, items: [], changesInterval };
  requireSameCurrency(wanted.price, current.subscription);
  const held = heldAddOns(config, addOnsOf(current.items, config));
  const addOns = held.filter(({ addOn }) => isForPlan(addOn, plan));
  const lines = await makeLineItems(db, stripe, { subject, plan, interval, addOns });
  const items = changesTo(lines, { items: current.items, planItemId: current.stripeItem.id }, config);
  if (when === 'now') await requireOpenInvoicesPaid(stripe, current.subscription);
  else requireUsageKept(current.subscription, itemsAfter(current.items, items));
  return { current, items, changesInterval };
}

async function changeNow(
  backend: Backend,
  subject: Subject,
  { current, items, changesInterval }: PreparedChange,
  prorationDate: number | undefined,
): Promise<ExpandedSubscription> {
  if (items.length > 0) {
    return changeItemsNow(backend, subject, current, { items, changesInterval, prorationDate });
  }
  await discardPlannedChange(await backend.stripe(), current.subscription);
  return { ...current.subscription, schedule: null };
}

async function changeAtPeriodEnd(
  stripe: Stripe,
  { current: { subscription, items: before }, items, changesInterval }: PreparedChange,
): Promise<ExpandedSubscription> {
  if (items.length === 0) {
    await discardPlannedChange(stripe, subscription);
    return { ...subscription, schedule: null };
  }
  return {
    ...subscription,
    schedule: await setPlannedChange(stripe, subscription, {
      items: itemsAfter(before, items),
      changesInterval,
    }),
  };
}
