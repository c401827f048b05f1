import { loadPlans, type Plan } from '../billing/plans.ts';
import { useEffect, useState } from 'preact/hooks';
import { PlanTile } from '../billing/plan-tile.tsx';
import { isRunning, stateOf, useSubscriptions, type Subscription } from '../billing/subscription.ts';
import { hearth } from '../backend/hearth.ts';
import { valueOf } from '../backend/live.ts';
import { formatDate } from '../format.ts';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/form.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loading } from '../ui/loading.tsx';
import { Notice } from '../ui/message.tsx';
import { SignedIn } from '../ui/signed-in.tsx';

export const Page = () => (
  <SignedIn>{({ session }) => <Billing uid={session.user.uid} plan={session.plan} />}</SignedIn>
);

function Billing({ uid, plan }: { uid: string; plan: string }) {
  const plans = usePlans();
  const running = valueOf(useSubscriptions(uid))?.find(isRunning);
  if (plans === undefined) return <Loading what="plans" />;
  if (!Array.isArray(plans)) return <Failure error={plans.error} />;
  const current = running?.role ?? plan;
  return (
    <div class="stack">
      <h1>Billing</h1>
      {isCancelledCheckout() && (
        <div role="status">
          <Notice>You left the checkout. Nothing was charged.</Notice>
        </div>
      )}
      <Current plan={plans.find(({ slug }) => slug === current)} subscription={running} />
      <Plans plans={plans} current={current} isSubscribed={running !== undefined} />
    </div>
  );
}

/** Only the checkout's own way back says so: coming from the portal is no cancellation. */
const isCancelledCheckout = () => new URLSearchParams(location.search).get('checkout') === 'cancelled';

function usePlans(): Plan[] | { error: unknown } | undefined {
  const [plans, setPlans] = useState<Plan[] | { error: unknown }>();
  useEffect(() => {
    loadPlans().then(setPlans, (error: unknown) => {
      setPlans({ error });
    });
  }, []);
  return plans;
}

function Current({ plan, subscription }: { plan: Plan | undefined; subscription: Subscription | undefined }) {
  return (
    <Card title="Your plan" aside={<span class="badge">{plan?.name ?? 'Free'}</span>}>
      <p class="lead">
        {subscription === undefined ? 'You have no subscription.' : stateOf(subscription, formatDate)}
      </p>
      <div class="actions">
        <a class="button" href={hearth.billing.portalUrl()}>
          Manage billing
        </a>
        <span class="muted small">Payment methods, invoices and cancellation, on Stripe’s pages.</span>
      </div>
    </Card>
  );
}

function Plans({ plans, current, isSubscribed }: { plans: Plan[]; current: string; isSubscribed: boolean }) {
  const [interval, setInterval] = useState<'month' | 'year'>('month');
  return (
    <>
      <div
        class="interval"
        onChange={({ target }) => {
          if (target instanceof HTMLSelectElement) setInterval(target.value === 'year' ? 'year' : 'month');
        }}
      >
        <Choice
          label="Pay"
          name="interval"
          value={interval}
          options={[
            ['month', 'by the month'],
            ['year', 'by the year'],
          ]}
        />
      </div>
      <div class="tiles">
        {plans.map((plan) => (
          <PlanTile
            key={plan.slug}
            plan={plan}
            interval={interval}
            isCurrent={plan.slug === current}
            isSubscribed={isSubscribed}
          />
        ))}
      </div>
    </>
  );
}
