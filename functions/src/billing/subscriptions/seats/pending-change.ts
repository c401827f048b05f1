import type Stripe from 'stripe';
import type { PlanItem } from '../plan-item.ts';

type PendingItem = Pick<Stripe.SubscriptionItem, 'id' | 'quantity'> & {
  price: Pick<Stripe.Price, 'id' | 'lookup_key'>;
};

interface PendingSubscription {
  items: { data: readonly PendingItem[] };
  pending_update:
    | (Pick<NonNullable<Stripe.Subscription['pending_update']>, 'expires_at'> & {
        subscription_items: readonly PendingItem[] | null;
      })
    | null;
}

/**
 * True if a change other than that of the seats waits for its payment, such as a change of plan or an add-on. New
 * values for the line items would make Stripe discard that change and void its invoice, which the customer may be about
 * to pay. Another seat sync runs when the change is paid or has expired.
 *
 * A line item that a change only removes is a credit, so such a change never waits.
 *
 * https://docs.stripe.com/billing/subscriptions/pending-updates
 */
export function isOtherChangePending(
  { items: { data: current }, pending_update: pending }: PendingSubscription,
  { id: planItemId, pricing }: PlanItem,
): boolean {
  if (pending === null) return false;
  const { subscription_items: items, ...others } = pending;
  if (!Object.values({ ...others, expires_at: null }).every(isEmpty)) return true;
  const seatItem = pricing.kind === 'base-price' ? pricing.seatItem : undefined;
  return (items ?? []).some(({ id, price, quantity }) => {
    const before = current.find((item) => item.id === id);
    if (before === undefined) return price.lookup_key !== seatItem?.lookupKey;
    const hasSeats = id === (seatItem === undefined ? planItemId : seatItem.id);
    return price.id !== before.price.id || (!hasSeats && quantity !== before.quantity);
  });
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)
  );
}
