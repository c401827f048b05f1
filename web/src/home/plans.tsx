import type { Plan } from '@hearth/client';
import { Check } from 'lucide';
import { useState } from 'preact/hooks';
import { valueOf } from '../backend/source.ts';
import { usePlans } from '../billing/catalogue.ts';
import {
  amountIn,
  currenciesOf,
  formatPrice,
  isOnSale,
  offerOf,
  periodOf,
  savingOf,
  type Interval,
} from '../billing/offers.ts';
import { PlanComparison } from '../billing/plan-comparison.tsx';
import { Terms } from '../billing/terms.tsx';
import { billingTexts } from '../billing/texts.ts';
import { formatBytes } from '../format.ts';
import { Icon } from '../ui/icon.tsx';

/** The plans on sale, with their prices. Nothing until they are known, and if they cannot be read. */
export function Plans({ href }: { href: string }) {
  const plans = valueOf(usePlans())?.filter(isOnSale);
  const [interval, setInterval] = useState<Interval>('month');
  const [currency, setCurrency] = useState<string>();
  if (plans === undefined) return null;
  return (
    <section class="stack plans" aria-labelledby="plans">
      <h2 id="plans">{billingTexts().offer.plans}</h2>
      <Terms
        interval={interval}
        onInterval={setInterval}
        saving={savingOf(plans)}
        currencies={currenciesOf(plans)}
        currency={currency}
        onCurrency={setCurrency}
      />
      <div class="tiles">
        {plans.map((plan) => (
          <Tile key={plan.slug} plan={plan} interval={interval} currency={currency} href={href} />
        ))}
      </div>
      <PlanComparison plans={plans} interval={interval} currency={currency} />
    </section>
  );
}

interface TileProps {
  plan: Plan;
  interval: Interval;
  currency: string | undefined;
  href: string;
}

function Tile({ plan, interval, currency, href }: TileProps) {
  const texts = billingTexts().offer;
  const { name, description, limits } = plan;
  const offer = offerOf(plan, interval);
  const amount = offer && amountIn(offer.price, currency);
  const features = [
    texts.seatsInTeam(limits.seats),
    texts.files(formatBytes(limits.storageMegabytes * 1_000_000)),
    texts.fileSize(formatBytes(limits.fileMegabytes * 1_000_000)),
  ];
  return (
    <section class="card plan">
      <h3>{name}</h3>
      <p class="price">
        {amount === undefined ? texts.free : formatPrice(amount.unitAmount, amount.currency)}
        {offer !== undefined && <span> {periodOf(offer, plan.perSeat)}</span>}
      </p>
      <p class="muted">{description}</p>
      <ul class="ticks">
        {features.map((feature) => (
          <li key={feature}>
            <Icon icon={Check} size={18} />
            {feature}
          </li>
        ))}
      </ul>
      <a class={amount === undefined ? 'button' : 'button primary'} href={href}>
        {amount === undefined ? texts.start : texts.choose(name)}
      </a>
    </section>
  );
}
