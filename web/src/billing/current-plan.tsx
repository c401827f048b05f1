import type { Plan } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { formatDate } from '../format.ts';
import type { Subject } from '../team/subjects.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Message, Notice } from '../ui/message.tsx';
import { CancelSubscription, ResumeSubscription } from './cancel.tsx';
import { useManaged } from './managed.ts';
import { stateOf, type Subscription } from './subscription.ts';
import { billingTexts } from './texts.ts';

interface CurrentPlanProps {
  payer: Subject;
  plan: Plan | undefined;
  /** A plan that was paid once. */
  owned: Plan | undefined;
  plans: readonly Plan[];
  subscription: Subscription | undefined;
  /** Whether anything was ever bought. Without that, Stripe's pages have nothing to show. */
  isCustomer: boolean;
}

/** The plan that a user or team has, with buttons that cancel and resume it. */
export function CurrentPlan({
  payer: { team },
  plan,
  owned,
  plans,
  subscription,
  isCustomer,
}: CurrentPlanProps) {
  const texts = billingTexts().current;
  const none = team === undefined ? texts.youHaveNone : texts.teamHasNone;
  return (
    <Card
      title={team === undefined ? texts.yours : texts.ofTeam}
      aside={<span class="badge">{plan?.name ?? texts.free}</span>}
    >
      <p class="lead">{subscription === undefined ? none : stateOf(subscription, formatDate)}</p>
      {owned !== undefined && <p>{texts.owned(owned.name)}</p>}
      {subscription !== undefined && <Details team={team} subscription={subscription} plans={plans} />}
      {isCustomer && (
        <div class="actions">
          <a class="button" href={hearth.billing.portalUrl(team === undefined ? {} : { team })}>
            {texts.manage}
          </a>
          <span class="muted small">{texts.onStripe}</span>
        </div>
      )}
    </Card>
  );
}

interface DetailsProps {
  team: string | undefined;
  subscription: Subscription;
  plans: readonly Plan[];
}

/** Shows details that only Stripe has: an invoice to pay, and a planned change of plan. */
function Details({ team, subscription, plans }: DetailsProps) {
  const managed = useManaged(team, subscription);
  const planned = managed?.plannedChange;
  const texts = billingTexts().current;
  const isEnding = subscription.isEnding || (managed !== undefined && managed.endsAt !== null);
  const end = subscription.end === undefined ? '' : formatDate(subscription.end);
  return (
    <>
      {managed?.payment && (
        <Notice kind="bad">
          {texts.unpaid} <a href={managed.payment.url}>{texts.pay}</a>
        </Notice>
      )}
      {planned && (
        <Notice>
          {texts.planned(
            plans.find(({ slug }) => slug === planned.plan)?.name,
            formatDate(new Date(planned.at)),
          )}
        </Notice>
      )}
      <div class="actions">
        <PaymentMethod team={team} />
        {(isEnding || planned) && <ResumeSubscription team={team} />}
        {!isEnding && <CancelSubscription team={team} end={end} />}
      </div>
    </>
  );
}

/** A button that opens Stripe's form for another card. */
function PaymentMethod({ team }: { team: string | undefined }) {
  const { busy, outcome, run } = useAction();
  return (
    <>
      <Button
        busy={busy}
        onClick={() =>
          void run(async () => {
            const url = await hearth.billing.portal({
              flow: 'payment_method',
              ...(team !== undefined && { team }),
            });
            location.assign(url);
          })
        }
      >
        {billingTexts().current.paymentMethod}
      </Button>
      <Message outcome={outcome} />
    </>
  );
}
