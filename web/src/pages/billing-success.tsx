import { valueOf } from '../backend/source.ts';
import { usePurchases } from '../billing/purchases.ts';
import { useLocation } from 'preact-iso/router';
import { isRunning, useSubscriptions } from '../billing/subscription.ts';
import { SignedIn } from '../ui/signed-in.tsx';

export function Page() {
  // The team of the checkout, unless it was the user's own.
  const { team } = useLocation().query;
  return <SignedIn>{({ session }) => <Thanks customerId={team ?? session.user.uid} />}</SignedIn>;
}

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
        <a class="button primary" href="/dashboard">
          Go to your dashboard
        </a>
        <a class="button" href="/billing">
          Billing
        </a>
      </p>
    </div>
  );
}
