import type { Plan } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { formatBytes } from '../format.ts';
import { formatPrice } from './price.ts';

interface PlanTileProps {
  plan: Plan;
  /** The team that pays; the user where there is none. */
  team: string | undefined;
  interval: 'month' | 'year';
  isCurrent: boolean;
  isSubscribed: boolean;
}

/** The limits and the price of a plan, with a link to buy it. */
export function PlanTile({ plan, team, interval, isCurrent, isSubscribed }: PlanTileProps) {
  const price = plan.prices?.[interval];
  return (
    <section class="card plan">
      <div class="card-head">
        <h2>{plan.name}</h2>
        {isCurrent && <span class="badge">Your plan</span>}
      </div>
      <p class="price">
        {price === undefined ? 'Free' : formatPrice(price.unitAmount, price.currency)}
        {price !== undefined && (
          <span>
            {plan.perSeat && team !== undefined ? ' a member and' : ' a'} {interval}
          </span>
        )}
      </p>
      <p class="muted">{plan.description}</p>
      <ul class="list">
        <li>{plan.limits.seats} seats</li>
        <li>{formatBytes(plan.limits.uploadMegabytes * 1_000_000)} of files</li>
      </ul>
      {price !== undefined && !isCurrent && (
        <a
          class="button primary"
          href={hearth.billing.checkoutUrl(plan.slug, { interval, ...(team !== undefined && { team }) })}
        >
          {isSubscribed ? `Change to ${plan.name}` : `Subscribe to ${plan.name}`}
        </a>
      )}
    </section>
  );
}
