import type { Subscription } from '../../objects.ts';
import { currentUsage, usageLines } from '../../usage/usage-lines.ts';
import { emit } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { endSubscription } from '../subscriptions/ending.ts';
import { isMetered } from './amounts.ts';
import { draftInvoice, DRAFT_TIME } from './invoices.ts';

/** Ends a subscription at its scheduled time. The usage of its last period gets an invoice. */
export function endOnSchedule(scope: Scope, subscription: Subscription): void {
  const used = currentUsage(scope, subscription);
  const owed =
    subscription.status !== 'trialing' && subscription.items.data.some(({ price }) => isMetered(price));
  endSubscription(scope, subscription, {});
  if (!owed) return;
  const invoice = draftInvoice(scope, subscription, {
    reason: 'subscription_cycle',
    lines: (id) => usageLines(scope, id, subscription, used),
    period: { start: used.start, end: used.end },
    advance: { automatically_finalizes_at: scope.now() + DRAFT_TIME },
  });
  scope.state.subscriptions.patch(subscription.id, { latest_invoice: invoice.id });
  emit(scope, 'invoice.created', invoice);
}
