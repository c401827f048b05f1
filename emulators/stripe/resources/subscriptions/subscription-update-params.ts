import { clearable, integer, oneOf, required, shape, text } from '../../api/parameters/params.ts';
import type { Parsed } from '../../api/parameters/params.ts';
import {
  cancellationDetails,
  changedItems,
  endTime,
  paymentBehavior,
  subscriptionDetails,
} from './subscription-params.ts';

/** The parameters of a change. */
export const updateParams = {
  ...subscriptionDetails,
  billing_cycle_anchor: shape({ type: required(oneOf('now', 'unchanged')) }),
  cancel_at: clearable(endTime),
  cancellation_details: cancellationDetails,
  collection_method: oneOf('charge_automatically', 'send_invoice'),
  days_until_due: integer(0),
  description: clearable(text(500)),
  items: changedItems,
  pause_collection: clearable(
    shape({
      behavior: required(oneOf('keep_as_draft', 'mark_uncollectible', 'void')),
      resumes_at: integer(0),
    }),
  ),
  payment_behavior: paymentBehavior,
  proration_date: integer(0),
};

export type UpdateParams = Parsed<typeof updateParams>;
