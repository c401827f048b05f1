import type { Backend } from '../../../backend.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { meteredPricesOf } from '../../../settings/plans.ts';
import { sendUsageOf } from '../../usage/send.service.ts';
import type { PlanSubscription } from '../from-stripe/plan-subscriptions.service.ts';
import { droppedMeteredPrices, itemsAfter, type ItemChange } from './item-changes.ts';

/**
 * Sends the usage that is waiting, if an immediate change removes or replaces a price by usage. The invoice of the
 * change bills the usage of this price until now. Usage that Stripe receives later is on no invoice, also if it has an
 * earlier time.
 *
 * Usage that Stripe does not accept would be lost with the change, so the change is refused. It is possible again when
 * Stripe has accepted the usage, or when the usage is too old to be sent.
 *
 * Reads nothing for any other change, and at least two documents for this one.
 *
 * @throws Refusal `billing_unavailable` if usage of the price could not be sent; `busy`: the same
 */
export async function sendDroppedUsage(
  backend: Backend,
  customerId: string,
  { subscription, items }: PlanSubscription,
  changes: readonly ItemChange[],
): Promise<void> {
  const dropped = droppedMeteredPrices(subscription, itemsAfter(items, changes));
  if (dropped.length === 0) return;
  const lookupKeys = items.filter(({ price }) => dropped.includes(price)).map(({ lookupKey }) => lookupKey);
  const metered = backend.config.plans.flatMap(meteredPricesOf);
  const waiting = await sendUsageOf(backend, customerId);
  if (metered.some(({ meter, lookupKey }) => lookupKeys.includes(lookupKey) && waiting.has(meter)))
    throw refusal('billing_unavailable');
}
