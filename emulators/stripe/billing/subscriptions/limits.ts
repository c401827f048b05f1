import { ApiError, notAllowed } from '../../api/errors.ts';
import type { Subscription } from '../../objects.ts';
import type { World } from '../../world.ts';
import { hasEnded } from './ending.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** https://docs.stripe.com/rate-limits */
const INVOICES: readonly { within: number; most: number }[] = [
  { within: MINUTE, most: 10 },
  { within: DAY, most: 20 },
];
const QUANTITY_CHANGES = { within: HOUR, most: 200 };
/** https://docs.stripe.com/api/subscriptions/create */
const SUBSCRIPTIONS = 500;

/** Refuses a new invoice with 429 if its subscription has had too many recently. */
export function assertInvoiceAllowed({ limits, now, state }: World, { id }: Subscription): void {
  if (!limits) return;
  const made = state.invoices.where(({ parent }) => parent?.subscription_details?.subscription === id);
  for (const { within, most } of INVOICES) {
    if (made.filter(({ created }) => created > now() - within).length >= most)
      throw tooMany(`${most} new invoices for a subscription in ${within} seconds`);
  }
}

/** Refuses a change of quantity with 429 if the subscription has had too many recently. */
export function assertQuantityAllowed({ limits, now, state }: World, { id }: Subscription): void {
  if (!limits) return;
  const { within, most } = QUANTITY_CHANGES;
  const changes = state.events.where(
    ({ created, data: { object, previous_attributes: before }, type }) =>
      type === 'customer.subscription.updated' &&
      created > now() - within &&
      'id' in object &&
      object.id === id &&
      before?.items !== undefined,
  );
  if (changes.length >= most) throw tooMany(`${most} changes of a subscription's quantity in an hour`);
}

/** Refuses a subscription if the customer has the maximum number of subscriptions. */
export function assertSubscriptionAllowed({ limits, state }: World, customer: string): void {
  const running = (row: Subscription): boolean => row.customer === customer && !hasEnded(row);
  if (limits && state.subscriptions.where(running).length >= SUBSCRIPTIONS)
    throw notAllowed(
      `A customer can have up to ${SUBSCRIPTIONS} subscriptions.`,
      'customer_max_subscriptions',
    );
}

function tooMany(limit: string): ApiError {
  return new ApiError(429, {
    type: 'invalid_request_error',
    code: 'rate_limit',
    message: `Request rate limit exceeded: ${limit}.`,
  });
}
