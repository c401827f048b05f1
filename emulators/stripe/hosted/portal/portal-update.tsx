import { ApiError } from '../../api/errors.ts';
import { amountOf, isMetered, sellsIn } from '../../billing/invoices/amounts.ts';
import { periodEnd } from '../../billing/period.ts';
import { hasSameCycle } from '../../billing/subscriptions/changing.ts';
import type { PortalSession, Price, Subscription } from '../../objects.ts';
import { previewChange } from '../../resources/invoices/invoice-preview.ts';
import type { UpdateParams } from '../../resources/subscriptions/subscription-update-params.ts';
import { changeSubscription } from '../../resources/subscriptions/subscription-update.ts';
import type { Scope } from '../../world.ts';
import { Alert, Fact, Field, Hidden } from '../fields.tsx';
import type { Problem } from '../fields.tsx';
import { cycle, money } from '../money.ts';
import { notice } from '../page.tsx';
import { changeAtPeriodEnd, isForPeriodEnd } from './portal-schedule.tsx';
import { finished, openFeature, ownSubscription, portalPage } from './portal-visit.tsx';
import type { Visit } from './portal-visit.tsx';

type UpdateConfirm = NonNullable<NonNullable<PortalSession['flow']>['subscription_update_confirm']>;

interface Changing {
  visit: Visit;
  subscription: Subscription;
}

const PRORATIONS = ['always_invoice', 'create_prorations', 'none'] as const;

interface Choice {
  price: Price;
  quantity: number;
}

/** `GET /p/session/:id/subscriptions/:subscription/update`: the plans; with `?price=`, the cost of the change. */
export function showUpdate(
  unscoped: Scope,
  id: string,
  subscriptionId: string,
  query: URLSearchParams,
): Response {
  const changing = open(unscoped, id, subscriptionId);
  if (changing instanceof Response) return changing;
  if (!query.has('price')) return choicePage(changing, 200, null);
  const chosen = readChoice(changing, query);
  return 'message' in chosen ? choicePage(changing, 400, chosen) : confirmPage(changing, 200, chosen, null);
}

/** The page of a portal whose flow only confirms a change. */
export function confirmFlowUpdate(
  unscoped: Scope,
  id: string,
  { subscription, items: [item] }: UpdateConfirm,
): Response {
  const query = new URLSearchParams();
  const current = unscoped.state.subscriptions.get(subscription)?.items.data[0];
  query.set('price', item?.price ?? current?.price.id ?? '');
  if (item?.quantity !== undefined) query.set('quantity', String(item.quantity));
  return showUpdate(unscoped, id, subscription, query);
}

/** `POST …/update`: changes the plan, if the amount due now is paid. */
export function updateSubscription(
  unscoped: Scope,
  id: string,
  subscriptionId: string,
  form: URLSearchParams,
): Response {
  const changing = open(unscoped, id, subscriptionId);
  if (changing instanceof Response) return changing;
  const chosen = readChoice(changing, form);
  if ('message' in chosen) return choicePage(changing, 400, chosen);
  const { visit, subscription } = changing;
  try {
    if (isForPeriodEnd(visit, subscription, chosen)) changeAtPeriodEnd(visit.scope, subscription, chosen);
    else changeSubscription(visit.scope, subscription, paramsFor(changing, chosen));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return confirmPage(changing, error.status, chosen, { field: null, message: error.message });
  }
  return finished(visit, 'Your plan is changed.');
}

function open(unscoped: Scope, id: string, subscriptionId: string): Changing | Response {
  const visit = openFeature(unscoped, id, 'subscription_update');
  if (visit instanceof Response) return visit;
  const subscription = ownSubscription(visit, subscriptionId);
  if (subscription instanceof Response) return subscription;
  if (subscription.schedule !== null) {
    const back = { href: visit.session.url, text: 'Your subscriptions' };
    return notice(409, 'A change is planned', 'Keep the current plan first, then choose another one.', back);
  }
  return { visit, subscription };
}

interface Offer {
  price: Price;
  /** The bounds of the quantity. */
  least: number;
  most: number;
}

/** The prices to choose from, in the subscription's currency; the current one is always among them. */
function offers({ visit, subscription }: Changing): Offer[] {
  const { default_allowed_updates: allowed } = visit.features.subscription_update;
  const products = visit.scope.state.portalProducts.get(visit.session.configuration)?.products;
  const [current] = subscription.items.data;
  const quantity = current?.quantity ?? 1;
  const isOffered = (price: Price): boolean => {
    if (price.id === current?.price.id) return true;
    if (!sellsIn(visit.scope, price, subscription.currency) || !allowed.includes('price')) return false;
    if (products) return products.some(({ prices }) => prices.includes(price.id));
    return price.active && price.recurring !== null && !isMetered(price);
  };
  const bounds = (price: Price): Omit<Offer, 'price'> => {
    const row = products?.find(({ product }) => product === price.product)?.adjustable_quantity;
    const adjustable = allowed.includes('quantity') && (row?.enabled ?? !products);
    if (!adjustable) return { least: quantity, most: quantity };
    return { least: Math.max(1, row?.minimum ?? 1), most: row?.maximum ?? 999_999 };
  };
  return visit.scope.state.prices.where(isOffered).map((price) => ({ price, ...bounds(price) }));
}

function readChoice(changing: Changing, form: URLSearchParams): Choice | Problem {
  const offer = offers(changing).find(({ price }) => price.id === form.get('price'));
  if (!offer) return { field: 'price', message: 'Please choose one of these plans.' };
  const quantity = Number(form.get('quantity') ?? changing.subscription.items.data[0]?.quantity);
  if (!Number.isInteger(quantity) || quantity < offer.least || quantity > offer.most) {
    return { field: 'quantity', message: `Please choose from ${offer.least} to ${offer.most}.` };
  }
  return { price: offer.price, quantity };
}

function paramsFor({ visit, subscription }: Changing, { price, quantity }: Choice): UpdateParams {
  const { proration_behavior: behavior, trial_update_behavior: trial } = visit.features.subscription_update;
  const current = subscription.items.data[0];
  const item = { deleted: undefined, id: current?.id, metadata: undefined };
  const changesInterval = !hasSameCycle(current?.price, price);
  return {
    // Changing the plan cancels a scheduled end.
    ...(subscription.cancel_at !== null && { cancel_at: null }),
    ...(subscription.status === 'trialing' && trial === 'end_trial' && { trial_end: 'now' }),
    // Stripe's portal would keep the day of the renewal, which the emulator does not support.
    ...(changesInterval && subscription.status !== 'trialing' && { billing_cycle_anchor: { type: 'now' } }),
    items: [{ ...item, price: price.id, quantity }],
    payment_behavior: 'error_if_incomplete',
    proration_behavior: PRORATIONS.find((known) => known === behavior),
  };
}

function choicePage(changing: Changing, status: number, problem: Problem | null): Response {
  const { visit, subscription } = changing;
  const choices = offers(changing);
  const current = subscription.items.data[0];
  const adjustable = choices.some(({ least, most }) => least !== most);
  return portalPage(
    visit,
    status,
    'Change plan',
    <>
      <Alert problem={problem} />
      <form method="get" action={path(changing)}>
        <fieldset>
          <legend>Plan</legend>
          {choices.map(({ price }) => (
            <label key={price.id} class="option">
              <input
                type="radio"
                name="price"
                value={price.id}
                required
                checked={price.id === current?.price.id}
              />{' '}
              {nameOf(visit.scope, price)}, {amount(changing, { price, quantity: 1 })}
            </label>
          ))}
        </fieldset>
        {adjustable ? <QuantityField quantity={current?.quantity ?? 1} problem={problem} /> : null}
        <button type="submit">Continue</button>
      </form>
    </>,
  );
}

function QuantityField({ quantity, problem }: { quantity: number; problem: Problem | null }) {
  return (
    <Field
      name="quantity"
      label="Quantity"
      value={String(quantity)}
      type="number"
      inputmode="numeric"
      min={1}
      problem={problem}
    />
  );
}

function nameOf({ state }: Scope, { product }: Price): string {
  return state.products.get(product)?.name ?? product;
}

/** The amount for a billing period, such as `$24.00 per month`. */
function amount({ visit, subscription: { currency } }: Changing, { price, quantity }: Choice): string {
  return `${money(amountOf(visit.scope, price, quantity, currency), currency)} per ${cycle(price)}`;
}

function confirmPage(changing: Changing, status: number, chosen: Choice, problem: Problem | null): Response {
  const { visit, subscription } = changing;
  const { price, quantity } = chosen;
  const later = isForPeriodEnd(visit, subscription, chosen);
  const due = later ? 0 : previewChange(visit.scope, subscription, paramsFor(changing, chosen));
  const begins = new Date(periodEnd(subscription) * 1000).toISOString().slice(0, 10);
  return portalPage(
    visit,
    status,
    'Confirm the change',
    <>
      <Alert problem={problem} />
      <dl>
        <Fact
          name={`${nameOf(visit.scope, price)}${quantity > 1 ? ` × ${quantity}` : ''}`}
          value={amount(changing, chosen)}
        />
        <Fact name="Due now" value={money(due, subscription.currency)} />
        {later ? <Fact name="Begins" value={begins} /> : null}
      </dl>
      <form method="post" action={path(changing)}>
        <Hidden values={Object.entries({ price: price.id, quantity: String(quantity) })} />
        <button type="submit">Confirm</button>
      </form>
    </>,
  );
}

function path({ visit, subscription }: Changing): string {
  return `/p/session/${visit.session.id}/subscriptions/${subscription.id}/update`;
}
