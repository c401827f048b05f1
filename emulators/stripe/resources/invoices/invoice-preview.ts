import { ApiError, InvalidParameter, noSuchReference } from '../../api/errors.ts';
import { operation } from '../../api/operation.ts';
import {
  builtOf,
  clearable,
  flag,
  integer,
  names,
  oneOf,
  required,
  shape,
  text,
} from '../../api/parameters/params.ts';
import type { Parsed } from '../../api/parameters/params.ts';
import { periodEnd } from '../../billing/period.ts';
import { scheduleOf } from '../../billing/schedules/schedule-object.ts';
import { advanceSchedule } from '../../billing/schedules/schedules.ts';
import { invoiceChange } from '../../billing/subscriptions/changing.ts';
import { endSubscription, hasEnded } from '../../billing/subscriptions/ending.ts';
import { prorate } from '../../billing/subscriptions/prorations.ts';
import { renew } from '../../billing/subscriptions/renewing.ts';
import type { Invoice, Subscription } from '../../objects.ts';
import { at, imagine, inTimeOf, newId } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { scheduleParams } from '../schedules/schedule-params.ts';
import { changeSchedule } from '../schedules/subscription-schedules.ts';
import { createFromParams } from '../subscriptions/subscription-create.ts';
import { changedItems, endTime, nowOrTime, prorationBehavior } from '../subscriptions/subscription-params.ts';
import type { UpdateParams } from '../subscriptions/subscription-update-params.ts';
import { changeSubscription } from '../subscriptions/subscription-update.ts';

const subscriptionDetails = shape(
  {
    billing_cycle_anchor: shape({ type: required(builtOf(['now', 'unchanged'], ['timestamp'])) }, [
      'timestamp',
    ]),
    cancel_at: clearable(endTime),
    cancel_at_period_end: flag(),
    cancel_now: flag(),
    items: changedItems,
    proration_behavior: prorationBehavior,
    proration_date: integer(0),
    trial_end: nowOrTime,
  },
  names(`billing_mode billing_schedules default_tax_rates metadata pause
    resume_at start_date`),
);

const params = {
  customer: text(),
  preview_mode: builtOf(['next'], ['recurring']),
  schedule: text(),
  schedule_details: shape(
    {
      end_behavior: oneOf('cancel', 'release'),
      phases: scheduleParams.phases,
      proration_behavior: prorationBehavior,
    },
    ['billing_mode', 'pause_schedules'],
  ),
  subscription: text(),
  subscription_details: subscriptionDetails,
};
type Params = Parsed<typeof params>;

/** The invoice that a change would make now, or else the one that the next period will bring. */
function preview(scope: Scope, given: Params): Invoice {
  return imagine(scope, (copy) => {
    const known = new Set([...copy.state.invoices].map(({ id }) => id));
    const made = (): Invoice | undefined => copy.state.invoices.where(({ id }) => !known.has(id)).at(-1);
    const subscription = previewed(copy, given);
    while (!made() && goOn(copy, copy.state.subscriptions.latest(subscription)));
    const invoice = made();
    if (!invoice) throw noUpcomingInvoice();
    return asDraft(invoice);
  });
}

function previewed(copy: Scope, given: Params): Subscription {
  if (given.schedule !== undefined) return scheduled(copy, given, given.schedule);
  return given.subscription === undefined ? begun(copy, given) : changed(copy, given, given.subscription);
}

/** Takes the next step of a subscription: a phase of its schedule, or a period. False when there is none. */
function goOn(copy: Scope, subscription: Subscription): boolean {
  const schedule = scheduleOf(copy, subscription);
  const phaseEnd = schedule?.current_phase?.end_date ?? Infinity;
  const [end, cancelAt] = [periodEnd(subscription), subscription.cancel_at ?? Infinity];
  if (hasEnded(subscription) || cancelAt <= Math.min(end, phaseEnd)) return false;
  if (schedule && phaseEnd <= end) advanceSchedule(at(copy, phaseEnd), schedule, subscription);
  else renew(at(copy, end), subscription);
  return true;
}

/** A subscription whose schedule has the phases of the preview. */
function scheduled(copy: Scope, { schedule_details: details }: Params, id: string): Subscription {
  const schedule = copy.state.subscriptionSchedules.get(id);
  if (!schedule) throw noSuchReference('subscription_schedule', id, 'schedule');
  if (details) changeSchedule(copy, schedule, details);
  const subscription = copy.state.subscriptions.get(schedule.subscription ?? '');
  if (!subscription) throw noUpcomingInvoice();
  return subscription;
}

function changed(copy: Scope, given: Params, id: string): Subscription {
  const subscription = copy.state.subscriptions.get(id);
  if (!subscription || (given.customer !== undefined && subscription.customer !== given.customer)) {
    throw noSuchReference('subscription', id, 'subscription');
  }
  if (hasEnded(subscription)) throw noUpcomingInvoice();
  const { cancel_now: ends, ...details } = { ...given.subscription_details };
  assertProrates(details);
  const local = inTimeOf(copy, subscription);
  if (ends) return ended(local, subscription, given.subscription_details?.proration_behavior);
  return changeSubscription(local, subscription, details);
}

function assertProrates(details: NonNullable<Params['subscription_details']>): void {
  if (details.proration_date === undefined) return;
  const isChange = details.items !== undefined || details.trial_end !== undefined;
  if (isChange && details.proration_behavior !== 'none') return;
  throw new InvalidParameter(
    'proration_date needs items or trial_end, and a proration_behavior other than none.',
    'subscription_details[proration_date]',
  );
}

/** A subscription that is canceled now, with the invoice that settles it. */
function ended(scope: Scope, subscription: Subscription, behavior = 'create_prorations'): Subscription {
  if (behavior !== 'none') prorate(scope, subscription, subscription.items.data, [], scope.now());
  const canceled = endSubscription(scope, subscription, {});
  invoiceChange(scope, canceled, { period: false });
  return canceled;
}

/** A subscription that does not exist yet. */
function begun(copy: Scope, { customer, subscription_details: details }: Params): Subscription {
  if (customer === undefined || !details?.items) {
    throw new InvalidParameter(
      'You must pass a subscription, or a customer and subscription_details[items].',
      'subscription',
    );
  }
  const { cancel_at: cancelAt, items, trial_end: trialEnd } = details;
  return createFromParams(copy, {
    customer,
    items,
    trial_end: trialEnd,
    cancel_at: cancelAt ?? undefined,
    payment_behavior: 'default_incomplete',
  });
}

/** The amount that a change of a subscription would charge now, in the currency's smallest unit. */
export function previewChange(scope: Scope, subscription: Subscription, change: UpdateParams): number {
  return imagine(scope, (copy) => {
    const known = copy.state.invoices.size;
    changeSubscription(copy, subscription, { ...change, payment_behavior: undefined });
    return [...copy.state.invoices].slice(known).reduce((sum, { amount_due: due }) => sum + due, 0);
  });
}

/** A preview has no number and no payment. Only its lines are stored, because they can be listed. */
function asDraft(invoice: Invoice): Invoice {
  const id = newId('upcoming_in');
  return {
    ...invoice,
    id,
    amount_paid: 0,
    amount_remaining: invoice.amount_due,
    attempt_count: 0,
    attempted: false,
    effective_at: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    lines: {
      ...invoice.lines,
      data: invoice.lines.data.map((line) => ({ ...line, invoice: id })),
      url: `/v1/invoices/${id}/lines`,
    },
    next_payment_attempt: null,
    number: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
  };
}

function noUpcomingInvoice(): ApiError {
  return new ApiError(404, {
    type: 'invalid_request_error',
    code: 'invoice_upcoming_none',
    message: 'No upcoming invoices for this customer or subscription.',
  });
}

/** https://docs.stripe.com/api/invoices/create_preview */
export const previewOperation = operation({
  method: 'POST',
  path: '/v1/invoices/create_preview',
  params,
  unsupported: names(`automatic_tax currency customer_account customer_details discounts invoice_items issuer
    on_behalf_of`),
  run: ({ scope, params: given }) => {
    const invoice = preview(scope, given);
    scope.state.previewLines.put({ id: invoice.id, lines: invoice.lines });
    return invoice;
  },
});
