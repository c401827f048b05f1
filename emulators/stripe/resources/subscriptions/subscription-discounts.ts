import { endDiscount, redeem } from '../../billing/discounts/discounts.ts';
import { customerOf } from '../../billing/invoices/invoices.ts';
import type { Subscription } from '../../objects.ts';
import { update } from '../../world.ts';
import type { Scope } from '../../world.ts';
import type { UpdateParams } from './subscription-update-params.ts';

/** Replaces the discounts: those named by their own id stay, coupons and codes are redeemed, the others end. */
export function changeDiscounts(
  scope: Scope,
  subscription: Subscription,
  given: UpdateParams['discounts'],
): void {
  if (given === undefined) return;
  const requests = given ?? [];
  const kept = new Set(requests.map(({ discount }) => discount));
  for (const id of subscription.discounts) {
    const discount = scope.state.discounts.get(id);
    if (discount && !kept.has(id)) endDiscount(scope, subscription, discount);
  }
  const added = redeem(
    scope,
    requests.filter(({ discount }) => discount === undefined),
    customerOf(scope, subscription),
    { subscription: subscription.id, session: null },
  );
  const { discounts } = scope.state.subscriptions.latest(subscription);
  update(scope, 'customer.subscription.updated', subscription, {
    discounts: [...discounts, ...added.map(({ id }) => id)],
  });
}
