import { productName } from '../../billing/invoices/lines.ts';
import { periodEnd } from '../../billing/period.ts';
import {
  cancellation,
  cancelScheduledEnd,
  endSubscription,
  scheduleEndInPortal,
} from '../../billing/subscriptions/ending.ts';
import { prorate } from '../../billing/subscriptions/prorations.ts';
import type { Subscription } from '../../objects.ts';
import { update } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { Choice, Field } from '../fields.tsx';
import { cancelPlannedChange } from './portal-schedule.tsx';
import { finished, openFeature, ownSubscription, portalPage } from './portal-visit.tsx';
import type { Visit } from './portal-visit.tsx';

const REASONS = [
  ['', 'I would rather not say'],
  ['too_expensive', "It's too expensive"],
  ['missing_features', 'Some features are missing'],
  ['switched_service', 'I found an alternative'],
  ['unused', "I don't use it enough"],
  ['customer_service', 'Customer service was less than expected'],
  ['too_complex', 'Ease of use was less than expected'],
  ['low_quality', 'Quality was less than expected'],
  ['other', 'Other'],
] as const;

/** `GET /p/session/:id/subscriptions/:subscription/cancel`: asks once more, and why. */
export function showCancel(unscoped: Scope, id: string, subscriptionId: string): Response {
  const visit = openFeature(unscoped, id, 'subscription_cancel');
  if (visit instanceof Response) return visit;
  const subscription = ownSubscription(visit, subscriptionId);
  if (subscription instanceof Response) return subscription;
  const { mode, cancellation_reason: asks } = visit.features.subscription_cancel;
  const name = subscription.items.data.map((item) => productName(visit.scope, item)).join(', ');
  const end = new Date(periodEnd(subscription) * 1000).toISOString().slice(0, 10);
  const reasons = REASONS.filter(([value]) => value === '' || asks.options.includes(value));
  return portalPage(
    visit,
    200,
    `Cancel ${name}`,
    <>
      <p>{mode === 'immediately' ? 'It ends immediately.' : `You can use it until ${end}.`}</p>
      <form method="post" action={`/p/session/${id}/subscriptions/${subscription.id}/cancel`}>
        {asks.enabled ? (
          <>
            <Choice name="feedback" label="Why do you leave?" options={reasons} chosen="" />
            <Field name="comment" label="Comment" value="" />
          </>
        ) : null}
        <button type="submit" class="danger">
          Cancel {name}
        </button>
      </form>
    </>,
  );
}

/** `POST …/cancel`: at the end of the period or immediately, as the portal is configured. */
export function cancelSubscription(
  unscoped: Scope,
  id: string,
  subscriptionId: string,
  form: URLSearchParams,
): Response {
  const visit = openFeature(unscoped, id, 'subscription_cancel');
  if (visit instanceof Response) return visit;
  const subscription = ownSubscription(visit, subscriptionId);
  if (subscription instanceof Response) return subscription;
  const { scope, features } = visit;
  const { mode, proration_behavior: proration } = features.subscription_cancel;
  cancelPlannedChange(scope, subscription);
  if (mode === 'immediately') {
    if (proration !== 'none') prorate(scope, subscription, subscription.items.data, [], scope.now());
    endSubscription(scope, subscription, { details: reason(visit, form) });
  } else {
    note(visit, scheduleEndInPortal(scope, subscription), form);
  }
  return finished(visit, 'Your subscription is canceled.');
}

/** `POST …/resume`: takes the end back. */
export function keepSubscription(unscoped: Scope, id: string, subscriptionId: string): Response {
  const visit = openFeature(unscoped, id, 'subscription_cancel');
  if (visit instanceof Response) return visit;
  const subscription = ownSubscription(visit, subscriptionId);
  if (subscription instanceof Response) return subscription;
  cancelPlannedChange(visit.scope, subscription);
  cancelScheduledEnd(visit.scope, subscription);
  return finished(visit, 'Your subscription goes on.');
}

function reason({ features }: Visit, form: URLSearchParams) {
  if (!features.subscription_cancel.cancellation_reason.enabled) return {};
  const feedback = REASONS.find(([value]) => value !== '' && value === form.get('feedback'))?.[0];
  const comment = form.get('comment')?.trim();
  return { ...(feedback && { feedback }), ...(comment && { comment }) };
}

function note(visit: Visit, subscription: Subscription, form: URLSearchParams): void {
  const { cancellation_details: details } = subscription;
  update(visit.scope, 'customer.subscription.updated', subscription, {
    cancellation_details: cancellation(subscription, reason(visit, form), details?.reason ?? null),
  });
}
