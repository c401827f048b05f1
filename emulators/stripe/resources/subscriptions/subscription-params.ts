import { unsupportedParameter } from '../../api/errors.ts';
import type { FormValue } from '../../api/parameters/form.ts';
import {
  clearable,
  flag,
  integer,
  list,
  metadata,
  names,
  oneOf,
  required,
  shape,
  text,
} from '../../api/parameters/params.ts';

export const FEEDBACK = [
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
] as const;

export const cancellationDetails = shape(
  { comment: clearable(text()), feedback: clearable(oneOf(...FEEDBACK)) },
  ['feedback_option'],
);

/** The treatment of a change if its payment fails. */
export const paymentBehavior = oneOf(
  'allow_incomplete',
  'default_incomplete',
  'error_if_incomplete',
  'pending_if_incomplete',
);

export const prorationBehavior = oneOf('always_invoice', 'create_prorations', 'none');

export const missingPaymentMethod = oneOf('cancel', 'create_invoice', 'pause');

const endBehavior = shape({ missing_payment_method: required(missingPaymentMethod) }, [
  'billing_cycle_anchor',
]);
export const trialSettings = shape({ end_behavior: required(endBehavior) });

/** `now`, or a time in seconds since 1970. */
export const nowOrTime = {
  required: false as const,
  parse: (value: FormValue, name: string): number | 'now' =>
    value === 'now' ? 'now' : integer(0).parse(value, name),
};

/** An end by its time in seconds since 1970, or by the period: all items have the same one here. */
export const endTime = {
  required: false as const,
  words: ['max_billed_until', 'max_period_end', 'min_period_end'],
  parse: (value: FormValue, name: string): number | 'max_period_end' | 'min_period_end' => {
    if (value === 'max_billed_until') throw unsupportedParameter(`${name}=max_billed_until`);
    return value === 'max_period_end' || value === 'min_period_end' ? value : integer(0).parse(value, name);
  },
};

const item = {
  price: text(),
  quantity: integer(0, 999_999),
  metadata: clearable(metadata()),
};

const unsupportedItem = names('billing_thresholds current_trial discounts plan price_data tax_rates');

export const newItems = list(shape(item, unsupportedItem), 20);
export const changedItems = list(
  shape({ ...item, id: text(), deleted: flag() }, [...unsupportedItem, 'clear_usage']),
  20,
);

export const automaticTax = shape({ enabled: required(flag()) }, ['liability']);

export const discounts = list(shape({ coupon: text(), discount: text(), promotion_code: text() }), 20);

/** The parameters that creating and updating share. */
export const subscriptionDetails = {
  automatic_tax: automaticTax,
  cancel_at_period_end: flag(),
  default_payment_method: text(),
  discounts: clearable(discounts),
  metadata: clearable(metadata()),
  proration_behavior: prorationBehavior,
  trial_end: nowOrTime,
  trial_settings: trialSettings,
};

export const unsupportedDetails = names(`
  add_invoice_items application_fee_percent billing_schedules billing_thresholds
  default_source default_tax_rates invoice_settings off_session on_behalf_of
  payment_settings pending_invoice_item_interval transfer_data trial_from_plan
`);

export const listStatus = oneOf(
  'active',
  'all',
  'canceled',
  'ended',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
);
