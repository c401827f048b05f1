import type { Plan } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { formatBytes } from '../format.ts';
import { BuyOnce } from './buy-once.tsx';
import { ChangePlan } from './change-plan.tsx';
import {
  amountIn,
  formatPrice,
  offerOf,
  periodOf,
  textWithoutOffer,
  type Interval,
  type Offer,
} from './offers.ts';
import { billingTexts } from './texts.ts';
import { canBuyOnce, tileActionOf, type Situation, type TileAction } from './tile-action.ts';

interface PlanTileProps {
  plan: Plan;
  /** The team that pays; the user if there is none. */
  team: string | undefined;
  /** The interval that the visitor has chosen. */
  interval: Interval;
  situation: Situation;
  /** The currency that the visitor has chosen, if any. */
  currency: string | undefined;
  /** A promotion code in the URL of the page. */
  code: string | undefined;
}

/** The limits and the price of a plan, with a button that buys it or changes to it. */
export function PlanTile(props: PlanTileProps) {
  const { plan, team, interval, situation, currency } = props;
  const texts = billingTexts().offer;
  const offer = offerOf(plan, interval);
  const amount = offer && amountIn(offer.price, currency);
  const once = plan.prices?.once ?? null;
  const action = tileActionOf(plan, offer?.interval, situation);
  return (
    <section class="card plan">
      <div class="card-head">
        <h2>{plan.name}</h2>
        {plan === situation.holding.current && <span class="badge">{texts.yourPlan}</span>}
      </div>
      <p class="price">
        {amount === undefined ? textWithoutOffer(plan) : formatPrice(amount.unitAmount, amount.currency)}
        {offer !== undefined && <span> {periodOf(offer, plan.perSeat && team !== undefined)}</span>}
      </p>
      <Seats offer={offer} currency={currency} />
      <p class="muted">{plan.description}</p>
      <ul class="list">
        {team !== undefined && <li>{texts.seats(plan.limits.seats)}</li>}
        <li>{texts.files(formatBytes(plan.limits.storageMegabytes * 1_000_000))}</li>
      </ul>
      {offer?.interval !== undefined && action !== undefined && (
        <Subscribe {...props} offer={offer} interval={offer.interval} action={action} />
      )}
      {once !== null && canBuyOnce(plan, situation) && (
        <BuyOnce
          item={plan.slug}
          label={texts.buyOnce(plan.name, formatPrice(once.unitAmount, once.currency))}
          team={team}
        />
      )}
    </section>
  );
}

interface SubscribeProps extends PlanTileProps {
  offer: Offer;
  action: TileAction;
}

/** A link to the checkout of a plan, or a button that changes a running subscription. */
function Subscribe({ plan, team, interval, offer, action, ...props }: SubscribeProps) {
  const { change, offer: texts } = billingTexts();
  if (action === 'change' || action === 'change-interval') {
    const title = action === 'change' ? change.to(plan.name) : change.payBy(plan.name, interval);
    return <ChangePlan plan={plan} interval={interval} team={team} title={title} />;
  }
  const { currency, code } = props;
  const hasCurrency = currency !== undefined && amountIn(offer.price, currency).currency === currency;
  return (
    <a
      class="button primary"
      href={hearth.billing.checkoutUrl(plan.slug, {
        interval,
        ...(team !== undefined && { team }),
        ...(hasCurrency && { currency }),
        ...(code !== undefined && { code }),
      })}
    >
      {action === 'manage' ? texts.change(plan.name) : texts.subscribe(plan.name)}
    </a>
  );
}

/** The price of each member whom the base price does not cover. */
function Seats({ offer, currency }: { offer: Offer | undefined; currency: string | undefined }) {
  if (!offer?.seat) return null;
  const { seat } = offer;
  const amount = amountIn({ ...seat, currency: offer.price.currency }, currency);
  const price = formatPrice(amount.unitAmount, amount.currency);
  return <p class="muted">{billingTexts().offer.eachMember(price, seat.included)}</p>;
}
