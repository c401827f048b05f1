import type Stripe from 'stripe';
import { idOf, type StripeReference } from '../../stripe/stripe-ids.ts';
import type { ItemAfterChange } from './item-changes.ts';

type Schedule = Stripe.SubscriptionSchedule;
type Phase = Stripe.SubscriptionSchedule.Phase;
type InvoiceSettings = NonNullable<Phase['invoice_settings']>;
type PhaseParams = Stripe.SubscriptionScheduleUpdateParams.Phase;
type ItemParams = Stripe.SubscriptionScheduleUpdateParams.Phase.Item;

/** A change for the end of the current period. */
export interface ChangeToPlan {
  /** All line items after the change. A line item that replaces another one keeps its settings. */
  readonly items: readonly ItemAfterChange[];
  /** True for a change from month to year, or back. */
  readonly changesInterval: boolean;
}

/** A line item of a phase. */
export type PhaseItem = Phase['items'][number];

/**
 * The current phase of a schedule as it is, and after it a phase with other line items. Both phases repeat the settings
 * of the current phase, such as discounts and tax rates: an update unsets each setting that it does not repeat.
 * https://docs.stripe.com/billing/subscriptions/subscription-schedules#updating
 *
 * A planned phase with another interval begins a new period. Otherwise Stripe would keep the day of the renewal, and
 * bill a change from month to year at the next anniversary of the subscription, up to eleven months later.
 * https://docs.stripe.com/billing/subscriptions/billing-mode/compare
 *
 * @param isMetered true for the id of a price that is billed by usage. Stripe accepts no quantity for it
 */
export function phasesWithChange(
  schedule: Schedule,
  { items, changesInterval }: ChangeToPlan,
  isMetered: (priceId: string) => boolean,
): [current: PhaseParams, planned: PhaseParams] {
  const current = currentPhaseOf(schedule);
  const settings = settingsOf(current);
  return [
    repeat(current),
    {
      // Without metadata: Stripe adds those of a phase to the subscription, and leaves all others as they are by then.
      ...settings,
      items: items.map(({ formerPrice, price, quantity }) =>
        toParams(
          { price, quantity: isMetered(price) ? undefined : quantity },
          current.items.find((item) => idOf(item.price) === formerPrice),
        ),
      ),
      ...(changesInterval && { billing_cycle_anchor: 'phase_start' as const }),
      proration_behavior: 'none',
    },
  ];
}

/** A line item for a later phase: one of the phase, or a new one of which only price and quantity are known. */
export type NextPhaseItem = Pick<PhaseItem, 'price' | 'quantity'> & Partial<PhaseItem>;

/**
 * The current phase of a schedule as it is, and after it a later phase with other line items. Everything else of the
 * later phase stays.
 *
 * @param items all line items of the later phase
 */
export function phasesWithItems(
  schedule: Schedule,
  later: Phase,
  items: readonly NextPhaseItem[],
): [current: PhaseParams, later: PhaseParams] {
  return [
    repeat(currentPhaseOf(schedule)),
    {
      ...repeat(later),
      ...given({
        add_invoice_items: later.add_invoice_items.map(toInvoiceItem),
        billing_cycle_anchor: later.billing_cycle_anchor,
      }),
      items: items.map((item) => toParams(item, item)),
      proration_behavior: later.proration_behavior,
    },
  ];
}

/** Leaves out what has an effect at the start of a phase only. */
function repeat(phase: Phase): PhaseParams {
  return {
    ...settingsOf(phase),
    ...given({ metadata: phase.metadata, trial_end: phase.trial_end }),
    items: phase.items.map((item) => toParams(item, item)),
    start_date: phase.start_date,
    end_date: phase.end_date,
  };
}

function currentPhaseOf({ id, current_phase, phases }: Schedule): Phase {
  const phase = phases.find(({ start_date }) => start_date === current_phase?.start_date);
  if (phase === undefined) throw new Error(`The schedule ${id} has no current phase.`);
  return phase;
}

/**
 * The settings of a phase that apply for as long as it lasts. Leaves out `add_invoice_items` and
 * `billing_cycle_anchor`, which have an effect at the start of a phase only.
 */
function settingsOf(phase: Phase): Omit<PhaseParams, 'items'> {
  const { automatic_tax: tax, billing_thresholds: thresholds, invoice_settings: invoice } = phase;
  return given({
    application_fee_percent: phase.application_fee_percent,
    automatic_tax: tax && { enabled: tax.enabled, ...given({ liability: accountOf(tax.liability) }) },
    billing_thresholds: thresholds && given(thresholds),
    collection_method: phase.collection_method,
    currency: phase.currency,
    default_payment_method: idIfAny(phase.default_payment_method),
    default_tax_rates: phase.default_tax_rates?.map(idOf),
    description: phase.description,
    discounts: phase.discounts.map(toDiscount),
    invoice_settings: invoice && toInvoiceSettings(invoice),
    on_behalf_of: idIfAny(phase.on_behalf_of),
    transfer_data: phase.transfer_data && {
      ...given({ amount_percent: phase.transfer_data.amount_percent }),
      destination: idOf(phase.transfer_data.destination),
    },
  });
}

/** @param settings the line item whose settings apply; undefined for a new line item */
function toParams(
  { price, quantity }: { price: StripeReference; quantity?: number | undefined },
  settings: Partial<PhaseItem> | undefined,
): ItemParams {
  const usage = settings?.billing_thresholds?.usage_gte ?? null;
  return {
    ...given({
      billing_thresholds: usage === null ? null : { usage_gte: usage },
      discounts: settings?.discounts?.map(toDiscount),
      metadata: settings?.metadata,
      tax_rates: settings?.tax_rates?.map(idOf),
      quantity,
    }),
    price: idOf(price),
  };
}

function toInvoiceItem(item: Phase['add_invoice_items'][number]) {
  const { start, end } = item.period;
  return {
    ...given({
      discountable: item.discountable,
      discounts: item.discounts.map(toDiscount),
      metadata: item.metadata,
      quantity: item.quantity,
      tax_rates: item.tax_rates?.map(idOf),
    }),
    period: {
      start: { type: start.type, ...given({ timestamp: start.timestamp }) },
      end: { type: end.type, ...given({ timestamp: end.timestamp }) },
    },
    price: idOf(item.price),
  };
}

/** Stripe names a discount in one of three ways. The id of a discount keeps its start, and so its end. */
function toDiscount({
  coupon,
  discount,
  promotion_code: code,
}: Stripe.SubscriptionSchedule.Phase.Discount): Stripe.SubscriptionScheduleUpdateParams.Phase.Discount {
  if (discount !== null) return { discount: idOf(discount) };
  if (code !== null) return { promotion_code: idOf(code) };
  return coupon === null ? {} : { coupon: idOf(coupon) };
}

function toInvoiceSettings({ account_tax_ids: taxIds, issuer, ...settings }: InvoiceSettings) {
  return given({ ...settings, account_tax_ids: taxIds?.map(idOf), issuer: accountOf(issuer) });
}

function accountOf(party: InvoiceSettings['issuer']) {
  return party && { type: party.type, ...given({ account: idIfAny(party.account) }) };
}

function idIfAny(reference: StripeReference | null | undefined): string | undefined {
  return reference ? idOf(reference) : undefined;
}

type Given<Values> = { [Name in keyof Values]?: NonNullable<Values[Name]> };

/** Leaves out values that are null, undefined or an empty list. Stripe does not accept null. */
function given<Values extends object>(values: Values): Given<Values> {
  const isMissing = (value: unknown) =>
    value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isMissing(value))) as Given<Values>;
}
