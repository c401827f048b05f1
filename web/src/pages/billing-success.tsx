import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { valueOf } from '../backend/source.ts';
import { isLatestPaid, usePurchases } from '../billing/purchases.ts';
import { isBought, useSubscriptions } from '../billing/subscription.ts';
import { billingTexts } from '../billing/texts.ts';
import { SignedIn } from '../ui/signed-in.tsx';

export function Page() {
  // The team of the checkout, unless it was the user's own.
  const { team } = useLocation().query;
  return <SignedIn>{({ session }) => <Thanks customerId={team ?? session.user.uid} />}</SignedIn>;
}

/** The time that Stripe's event about a payment may need. Usually it arrives before the person. */
const WAIT_MS = 30_000;

/** Stripe sends the backend an event about the payment, which may arrive after the person. */
function Thanks({ customerId }: { customerId: string }) {
  const subscriptions = valueOf(useSubscriptions(customerId)) ?? [];
  const isSubscribed = subscriptions.some((one) => isBought(one, new Date()));
  const hasPaidOnce = isLatestPaid(valueOf(usePurchases(customerId)) ?? []);
  const isLate = useLate(WAIT_MS);
  const texts = billingTexts().success;
  const { eyebrow, title, text } = texts[stateOf({ isSubscribed, hasPaidOnce, isLate })];
  return (
    <div class="narrow hero">
      <p class="eyebrow">{eyebrow}</p>
      <h1>{title}</h1>
      <p class="lead" role="status">
        {text}
      </p>
      <p class="actions">
        <a class="button primary" href="/dashboard">
          {texts.dashboard}
        </a>
        <a class="button" href="/billing">
          {texts.billing}
        </a>
      </p>
    </div>
  );
}

interface Known {
  isSubscribed: boolean;
  hasPaidOnce: boolean;
  isLate: boolean;
}

function stateOf({ isSubscribed, hasPaidOnce, isLate }: Known): 'subscribed' | 'paid' | 'waiting' | 'late' {
  if (isSubscribed) return 'subscribed';
  if (hasPaidOnce) return 'paid';
  return isLate ? 'late' : 'waiting';
}

/** Whether the page has been shown for this time. */
function useLate(milliseconds: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setLate, milliseconds, true);
    return () => {
      clearTimeout(timer);
    };
  }, [milliseconds]);
  return isLate;
}
