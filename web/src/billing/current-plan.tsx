import type { Subscription as ManagedSubscription, Plan } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { formatDate } from '../format.ts';
import type { Subject } from '../team/subjects.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Message, Notice } from '../ui/message.tsx';
import { CancelSubscription, ResumeSubscription } from './cancel.tsx';
import type { Grant, Holding } from './holding.ts';
import { effectOfCancelling, stateOf, type Subscription } from './subscription.ts';
import { billingTexts } from './texts.ts';

interface CurrentPlanProps {
  payer: Subject;
  holding: Holding;
  plans: readonly Plan[];
  /** The subscription as Stripe has it, if that is known. */
  managed: ManagedSubscription | undefined;
  /** Whether anything was ever bought. Without that, Stripe's pages have nothing to show. */
  isCustomer: boolean;
}

/** The plan that a user or team has, with buttons that cancel and resume it. */
export function CurrentPlan({ payer: { team }, holding, plans, managed, isCustomer }: CurrentPlanProps) {
  const texts = billingTexts().current;
  const { current, subscription } = holding;
  return (
    <Card
      title={team === undefined ? texts.yours : texts.ofTeam}
      aside={<span class="badge">{current?.name ?? texts.free}</span>}
    >
      <Summary team={team} holding={holding} />
      {subscription !== undefined && (
        <Details team={team} subscription={subscription.copy} plans={plans} managed={managed} />
      )}
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

/** Says where the plan comes from, and until when it lasts. */
function Summary({ team, holding }: { team: string | undefined; holding: Holding }) {
  const texts = billingTexts().current;
  const { current, owned, grant, subscription } = holding;
  const hasNothing = subscription === undefined && owned === undefined && grant === undefined;
  return (
    <>
      {hasNothing && <p class="lead">{team === undefined ? texts.youHaveNone : texts.teamHasNone}</p>}
      {subscription !== undefined && <p class="lead">{stateOf(subscription.copy, formatDate)}</p>}
      {subscription !== undefined && subscription.plan !== current && (
        <p>{planOfOther(holding, subscription)}</p>
      )}
      {owned !== undefined && <p>{texts.owned(owned.name)}</p>}
      {grant !== undefined && <p>{textOfGrant(grant)}</p>}
    </>
  );
}

/** A sentence about the plan of a subscription that is not the current plan. */
function planOfOther({ canSubscribe }: Holding, { plan, isEntitling }: NonNullable<Holding['subscription']>) {
  const texts = billingTexts().current;
  if (isEntitling) return texts.isToOther(plan.name);
  return canSubscribe ? texts.isReplaced(plan.name) : texts.givesNothing(plan.name);
}

function textOfGrant({ plan, isFromAppStore, until, mayRenew }: Grant): string {
  const texts = billingTexts().current;
  const date = until && formatDate(until);
  return isFromAppStore ? texts.fromAppStore(plan.name, date, mayRenew) : texts.comped(plan.name, date);
}

interface DetailsProps extends Pick<CurrentPlanProps, 'plans' | 'managed'> {
  team: string | undefined;
  subscription: Subscription;
}

/** Shows details that only Stripe has: an invoice to pay, and a planned change of plan. */
function Details({ team, subscription, plans, managed }: DetailsProps) {
  const planned = managed?.plannedChange;
  const texts = billingTexts().current;
  const isEnding = subscription.isEnding || (managed !== undefined && managed.endsAt !== null);
  const { end, status } = subscription;
  // Stripe's status decides when a cancellation takes effect.
  const effect = effectOfCancelling({ end, status: managed?.status ?? status }, formatDate);
  return (
    <>
      {managed?.payment && (
        <Notice kind="bad">
          {texts.unpaid} <a href={managed.payment.url}>{texts.pay}</a>
        </Notice>
      )}
      {managed && planned && <Notice>{textOfChange(managed, planned, plans)}</Notice>}
      <div class="actions">
        <PaymentMethod team={team} />
        {(isEnding || (managed && planned && isOfCustomer(managed, planned))) && (
          <ResumeSubscription team={team} />
        )}
        {!isEnding && <CancelSubscription team={team} effect={effect} />}
      </div>
    </>
  );
}

type PlannedChange = NonNullable<ManagedSubscription['plannedChange']>;

/**
 * False if only support can have planned the change, such as a new price of the present plan. The backend then refuses
 * to discard it.
 */
function isOfCustomer(present: ManagedSubscription, { plan, interval }: PlannedChange): boolean {
  const isPresent = plan === present.plan && interval === present.interval;
  return plan !== null && interval !== null && !isPresent;
}

function textOfChange(present: ManagedSubscription, planned: PlannedChange, plans: readonly Plan[]): string {
  const texts = billingTexts().current;
  const { plan, interval, at } = planned;
  const date = formatDate(new Date(at));
  if (!isOfCustomer(present, planned)) return texts.plannedBySupport(date);
  if (plan === present.plan && interval !== null) return texts.plannedInterval(interval, date);
  return texts.planned(plans.find(({ slug }) => slug === plan)?.name, date);
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
