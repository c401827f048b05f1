import { valueOf } from '../backend/live.ts';
import { usePurchases } from '../billing/purchases.ts';
import { isRunning, useSubscriptions } from '../billing/subscription.ts';
import { Link } from '../ui/link.tsx';
import { SignedIn } from '../ui/signed-in.tsx';

export const Page = () => (
  <SignedIn>{({ session }) => <Thanks customerId={teamOfPage() ?? session.user.uid} />}</SignedIn>
);

/** The team of the checkout, unless it was the user's own. */
const teamOfPage = () => new URLSearchParams(location.search).get('team');

/** Stripe tells the backend of the payment in a call of its own, which may arrive after the person does. */
function Thanks({ customerId }: { customerId: string }) {
  const isKnown = valueOf(useSubscriptions(customerId))?.some(isRunning) === true;
  const hasPaidOnce = valueOf(usePurchases(customerId))?.some(({ isPaid }) => isPaid) === true;
  return (
    <div class="narrow hero">
      <p class="eyebrow">Checkout complete</p>
      <h1>Thank you</h1>
      <p class="lead" role="status">
        {isKnown
          ? 'The subscription is active.'
          : hasPaidOnce
            ? 'The payment has arrived.'
            : 'The purchase is being set up. It shows here in a moment.'}
      </p>
      <p class="actions">
        <Link class="button primary" href="/dashboard">
          Go to your dashboard
        </Link>
        <Link class="button" href="/billing">
          Billing
        </Link>
      </p>
    </div>
  );
}
