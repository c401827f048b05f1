import type { Plan } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { formatBytes } from '../format.ts';
import { ChangePlan } from './change-plan.tsx';
import { offerOf, type Offer } from './offer.ts';
import { formatPrice } from './price.ts';

interface PlanTileProps {
  plan: Plan;
  /** The team that pays; the user where there is none. */
  team: string | undefined;
  /** The interval that the visitor has chosen. */
  interval: 'month' | 'year';
  isCurrent: boolean;
  isSubscribed: boolean;
  /** Whether the running subscription can be changed here. */
  canChange: boolean;
}

/** The limits and the price of a plan, with a way to buy it or to change to it. */
export function PlanTile({ plan, team, interval, isCurrent, isSubscribed, canChange }: PlanTileProps) {
  const offer = offerOf(plan, interval);
  return (
    <section class="card plan">
      <div class="card-head">
        <h2>{plan.name}</h2>
        {isCurrent && <span class="badge">Your plan</span>}
      </div>
      <p class="price">
        {offer === undefined ? 'Free' : formatPrice(offer.price.unitAmount, offer.price.currency)}
        {offer !== undefined && <span>{periodOf(offer, plan.perSeat && team !== undefined)}</span>}
      </p>
      <p class="muted">{plan.description}</p>
      <ul class="list">
        {team !== undefined && <li>{plan.limits.seats} seats</li>}
        <li>{formatBytes(plan.limits.uploadMegabytes * 1_000_000)} of files</li>
      </ul>
      {offer?.interval !== undefined &&
        !isCurrent &&
        (canChange ? (
          <ChangePlan plan={plan} interval={offer.interval} team={team} />
        ) : (
          <a
            class="button primary"
            href={hearth.billing.checkoutUrl(plan.slug, {
              interval: offer.interval,
              ...(team !== undefined && { team }),
            })}
          >
            {isSubscribed ? `Change to ${plan.name}` : `Subscribe to ${plan.name}`}
          </a>
        ))}
    </section>
  );
}

function periodOf({ interval }: Offer, perMember: boolean): string {
  if (interval === undefined) return ' once';
  return perMember ? ` a member and ${interval}` : ` a ${interval}`;
}
