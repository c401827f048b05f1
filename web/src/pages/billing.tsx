import type { Plan } from '@hearth/client';
import { can } from '@hearth/shared/roles';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { SignedIn as Person } from '../backend/session.ts';
import { valueOf } from '../backend/source.ts';
import { usePlans } from '../billing/catalogue.ts';
import { Credits } from '../billing/credits.tsx';
import { CurrentPlan } from '../billing/current-plan.tsx';
import { holdingOf, type Holding } from '../billing/holding.ts';
import { Invoices } from '../billing/invoices.tsx';
import { useManaged } from '../billing/managed.ts';
import { currenciesOf, plansFor, savingOf, type Interval } from '../billing/offers.ts';
import { PlanComparison } from '../billing/plan-comparison.tsx';
import { PlanTile } from '../billing/plan-tile.tsx';
import { ownedPlan, usePurchases } from '../billing/purchases.ts';
import { isGranted, isRunning, useSubscriptions, type Subscription } from '../billing/subscription.ts';
import { Terms } from '../billing/terms.tsx';
import { billingTexts } from '../billing/texts.ts';
import { tileActionOf } from '../billing/tile-action.ts';
import { VerificationNotice } from '../sign-in/verification-notice.tsx';
import { useChoice } from '../team/choice.ts';
import type { Subject } from '../team/subjects.ts';
import { Failure, Notice, Unreadable } from '../ui/message.tsx';
import { PageLoading, PlansOutline } from '../ui/outlines.tsx';
import { SignedIn } from '../ui/signed-in.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export const Page = () => <SignedIn>{(person) => <Billing person={person} />}</SignedIn>;

function Billing({ person }: { person: Person }) {
  const texts = billingTexts();
  const plans = usePlans();
  // The page returns here from the checkout of a team, with the team in its URL.
  const choice = useChoice(person);
  const { query } = useLocation();
  if (plans.state === 'loading') return <PageLoading what={texts.plans} />;
  if (plans.state === 'failed') return <Failure error={plans.error} />;
  if (choice === undefined) return <PageLoading what={texts.subscription} />;
  const { chosen, subjects } = choice;
  const isAllowed = chosen.role === undefined || can(chosen.role, 'billing:manage');
  const payer = isAllowed ? chosen : (subjects[0] ?? chosen);
  return (
    <div class="stack">
      <h1>{texts.title}</h1>
      {/* Only the checkout's own way back says so: coming from the portal is no cancellation. */}
      {query['checkout'] === 'cancelled' && (
        <div role="status">
          <Notice>{texts.leftCheckout}</Notice>
        </div>
      )}
      {query['code'] !== undefined && <p class="muted">{texts.code(query['code'])}</p>}
      {!isAllowed && <Notice>{texts.notAllowed(chosen.name)}</Notice>}
      {isAllowed && payer.team === undefined && subjects.length > 1 && <p class="muted">{texts.noSeats}</p>}
      <PlansOf key={payer.id} person={person} payer={payer} plans={plans.value} code={query['code']} />
    </div>
  );
}

interface PlansOfProps {
  person: Person;
  payer: Subject;
  plans: Plan[];
  /** The promotion code of a link such as /billing?code=SPRING. */
  code: string | undefined;
}

/** Loads the purchases of a subject. Until they are known, the page does not say that there is no subscription. */
function PlansOf({ person, payer, plans, code }: PlansOfProps) {
  const subscriptions = useSubscriptions(payer.id);
  const purchases = usePurchases(payer.id);
  if (subscriptions.state === 'loading' || purchases.state === 'loading')
    return (
      <Skeleton what={billingTexts().subscription}>
        <PlansOutline />
      </Skeleton>
    );
  if (subscriptions.state === 'failed')
    return <Unreadable what={billingTexts().subscription} retry={subscriptions.retry} />;
  const bought = valueOf(purchases) ?? [];
  const copies = subscriptions.value;
  return (
    <BoughtAndOffered
      person={person}
      payer={payer}
      plans={plans}
      code={code}
      subscriptions={copies}
      holding={holdingOf(plans, copies, ownedPlan(plans, bought), new Date())}
      isCustomer={!copies.every(isGranted) || bought.length > 0}
    />
  );
}

interface BoughtAndOfferedProps extends PlansOfProps {
  subscriptions: readonly Subscription[];
  holding: Holding;
  /** Whether anything was ever bought here. */
  isCustomer: boolean;
}

/** Says to a user whose address is not verified that their checkout would have no trial. */
function TrialNotice({ user, session: { user: account } }: Person) {
  if (account.email === null || account.emailVerified) return null;
  return <VerificationNotice user={user} email={account.email} text={billingTexts().unverified} />;
}

/** The current plan of a subject, and the others. */
function BoughtAndOffered(props: BoughtAndOfferedProps) {
  const { person, payer, plans, code, subscriptions, holding, isCustomer } = props;
  const { current, subscription } = holding;
  const managed = useManaged(payer.team, subscription?.copy);
  const [chosen, setChosen] = useState<Interval>();
  const [wanted, setCurrency] = useState<string>();
  const paidInterval = managed?.interval ?? undefined;
  const interval = chosen ?? paidInterval ?? 'month';
  const shown = plansFor(plans, payer, current?.slug);
  const situation = { holding, plans, paidInterval };
  // A trial is given once, and a customer of Stripe keeps the currency.
  const hasTrial =
    subscription === undefined &&
    shown.some((plan) => plan.trialDays > 0 && tileActionOf(plan, interval, situation) === 'subscribe');
  const isBound = subscriptions.some(isRunning);
  const currency = isBound ? undefined : wanted;
  return (
    <>
      <CurrentPlan payer={payer} holding={holding} plans={plans} managed={managed} isCustomer={isCustomer} />
      {hasTrial && <TrialNotice {...person} />}
      <Terms
        interval={interval}
        onInterval={setChosen}
        saving={savingOf(shown)}
        currencies={isBound ? [] : currenciesOf(shown)}
        currency={currency}
        onCurrency={setCurrency}
      />
      <div class="tiles">
        {shown.map((plan) => (
          <PlanTile
            key={plan.slug}
            plan={plan}
            team={payer.team}
            interval={interval}
            situation={situation}
            currency={currency}
            code={code}
          />
        ))}
      </div>
      <PlanComparison
        plans={shown}
        current={current}
        hasSeats={payer.team !== undefined}
        interval={interval}
        currency={currency}
      />
      <Credits payer={payer} />
      <Invoices
        key={`${payer.id} ${current?.slug ?? ''} ${subscriptions.map(stateOfInvoices).join(' ')}`}
        team={payer.team}
      />
    </>
  );
}

/** Another text when the subscription may have another invoice. */
const stateOfInvoices = ({ id, status, latestInvoice }: Subscription) => `${id} ${status} ${latestInvoice}`;
