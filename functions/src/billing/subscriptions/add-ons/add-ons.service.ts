import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { refusal } from '../../../refusals/refusals.ts';
import type { AddOn } from '../../../settings/extras.ts';
import type { Interval } from '../../../settings/plans.ts';
import { recordForTeam } from '../../audit.store.ts';
import { intervalOf } from '../../catalogue/interval.ts';
import { withPriceIds } from '../../catalogue/price-ids.ts';
import { withStripeRefusals } from '../../stripe/stripe-errors.ts';
import { idOf } from '../../stripe/stripe-ids.ts';
import type { Subject } from '../../subject.ts';
import { addOnItemsOf, addOnsOf } from '../add-on-items.ts';
import type { PlanSubscription } from '../from-stripe/plan-subscriptions.service.ts';
import { changeUnderLease, previewItems } from '../manage/change.service.ts';
import { requireRecentPreview } from '../manage/proration-date.ts';
import { requirePlanSubscription } from '../manage/require-plan-subscription.service.ts';
import { finishChange } from '../manage/subscription.service.ts';
import { type ChangePreviewView, type ManagedSubscriptionView } from '../manage/subscription.view.ts';
import { requireNoOperatorSchedule } from '../schedules/operator-schedule.service.ts';
import { changeItemsNow } from '../wanted-items/change-now.service.ts';
import { requireChangeable, requireOpenInvoicesPaid } from '../wanted-items/change-rules.ts';
import type { ItemChange } from '../wanted-items/item-changes.ts';
import { addOnLineItem, requireAddOn, findChosenAddOns } from '../wanted-items/line-items.ts';
import { findPlannedPhase } from '../wanted-items/planned-change.ts';

export interface AddOnChange {
  slug: string;
  /** 0 removes the add-on. */
  quantity: number;
  /**
   * The `prorationDate` of a preview: see `requireRecentPreview`. With this date, the change costs the amount that the
   * preview has shown.
   */
  prorationDate?: number | undefined;
}

/** A change that was checked, with the values for Stripe. */
interface PreparedAddOnChange {
  current: PlanSubscription;
  /** Empty if the subscription has this number of units already. */
  items: ItemChange[];
}

/**
 * Sets the units of an add-on on the subscription that pays for the plan. Charges or credits the difference
 * immediately: see `changeItemsNow`. Idempotent.
 *
 * @throws Refusal as its route declares
 */
export async function setAddOn(
  backend: Backend,
  subject: Subject,
  change: AddOnChange,
): Promise<ManagedSubscriptionView> {
  return changeUnderLease(backend, subject, async () => {
    const { current, items } = await prepare(backend, subject, change);
    if (items.length === 0) return finishChange(backend, subject, current, current.subscription);
    requireRecentPreview(backend, current, change.prorationDate);
    await recordForTeam(backend, subject, 'billing.add_on_requested', {
      addOn: change.slug,
      quantity: String(change.quantity),
    });
    const subscription = await changeItemsNow(backend, subject, current, {
      items,
      changesInterval: false,
      prorationDate: change.prorationDate,
    });
    return finishChange(backend, subject, current, subscription);
  });
}

/**
 * The invoice that a change would make. Changes nothing.
 *
 * @throws Refusal as its route declares
 */
export async function previewAddOn(
  backend: Backend,
  subject: Subject,
  change: AddOnChange,
): Promise<ChangePreviewView> {
  return withStripeRefusals(async () => {
    const { current, items } = await prepare(backend, subject, change);
    return previewItems(backend, current, { items, changesInterval: false, when: 'now' });
  });
}

async function prepare(
  backend: Backend,
  subject: Subject,
  change: AddOnChange,
): Promise<PreparedAddOnChange> {
  const { config } = backend;
  const { slug, quantity } = change;
  const addOn = requireAddOn(config.extras, slug);
  const current = await requirePlanSubscription(backend, subject);
  const { subscription, plan, stripeItem: item } = current;
  findChosenAddOns(config.extras, { subject, plan }, { [slug]: quantity });
  const stripe = await backend.stripe();
  await requireNoPlannedChange(backend, current);
  requireChangeable(subscription);
  if (quantity === (addOnsOf(current.items, config)[slug] ?? 0)) return { current, items: [] };
  await requireOpenInvoicesPaid(stripe, subscription);
  const existing = addOnItemsOf(current.items, config).filter((one) => one.addOn === addOn);
  const [first, ...others] = existing.map((one) => one.item);
  if (first === undefined) {
    return { current, items: [await newItem(stripe, addOn, intervalOf(item.price), quantity)] };
  }
  const { id } = first;
  // Without the price: Stripe accepts no archived price, also if the line item has it already.
  const changed = quantity === 0 ? ({ id, deleted: true } as const) : { id, quantity };
  return { current, items: [changed, ...others.map((one) => ({ id: one.id, deleted: true }) as const)] };
}

/** The new line item has a price of the plan's interval, because Stripe bills all line items together. */
async function newItem(
  stripe: Stripe,
  addOn: AddOn,
  interval: Interval | null,
  quantity: number,
): Promise<ItemChange> {
  if (interval === null) throw refusal('add_on_interval_not_offered', { addOn: addOn.name });
  const [{ priceId }] = await withPriceIds(stripe, [addOnLineItem(addOn, interval, quantity)]);
  return { price: priceId, quantity };
}

/**
 * A planned change lists all line items of the next period, so it would undo the change of the add-on. A schedule
 * without a planned change is left by a request that ended half-way, and does not matter.
 *
 * @throws Refusal `plan_change_planned`, `schedule_of_support`
 */
async function requireNoPlannedChange(backend: Backend, current: PlanSubscription): Promise<void> {
  const { schedule } = current.subscription;
  if (schedule === null) return;
  await requireNoOperatorSchedule(backend, current);
  if (await findPlannedPhase(await backend.stripe(), idOf(schedule))) throw refusal('plan_change_planned');
}
