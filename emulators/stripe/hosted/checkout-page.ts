import { amountOf, isMetered, unitAmount } from '../billing/amounts.ts';
import { couponFor } from '../billing/discounts.ts';
import { isRecurring } from '../resources/checkout-items.ts';
import { hasTrial, quantityLimits, requestOf } from '../resources/checkout-totals.ts';
import type { CheckoutDetails, CheckoutSession, LineItem } from '../state.ts';
import type { Scope } from '../world.ts';
import { cardFields, typedCard } from './card-form.ts';
import { detailFields, typedDetails } from './details-form.ts';
import { alert, field } from './fields.ts';
import type { Problem } from './fields.ts';
import { html, page } from './html.ts';
import type { Markup } from './html.ts';
import { cycle, money } from './money.ts';

export interface Open {
  session: CheckoutSession;
  details: CheckoutDetails;
}

/** Whether a card is asked for: always when something is due, and otherwise unless the session says if required. */
export function wantsCard({
  amount_total: total,
  payment_method_collection: collection,
}: CheckoutSession): boolean {
  return (total ?? 0) > 0 || collection !== 'if_required';
}

/** The page of an open session, filled with what was typed. */
export function checkoutPage(
  scope: Scope,
  status: number,
  open: Open,
  form: URLSearchParams,
  problem: Problem | null,
): Response {
  const { session, details } = open;
  const [first] = details.lineItems;
  const more = details.lineItems.length - 1;
  const name = `${first?.description ?? 'a plan'}${more > 0 ? ` and ${more} more` : ''}`;
  const trial = hasTrial(details);
  const title = `${verb(session, trial)} ${name}`;
  const total = money(session.amount_total ?? 0, session.currency ?? 'usd');
  const content = html`<h1>${title}</h1>
    ${price(scope, open)}
    <dl>
      ${details.lineItems.map((item) => lineRow(scope, item))} ${discountRows(scope, session)}
      ${
        session.customer_details?.email
          ? html`<div>
              <dt>E-mail</dt>
              <dd>${session.customer_details.email}</dd>
            </div>`
          : null
      }
    </dl>
    ${alert(problem)} ${quantityForms(open)} ${promotionForm(session, form, problem)}
    <form method="post" action="/c/pay/${session.id}">
      ${detailFields(typedDetails(scope, session, form), problem)}
      ${wantsCard(session) ? cardFields(typedCard(scope, form), problem) : null}
      <button type="submit">${trial ? 'Start trial' : `Pay ${total}`}</button>
    </form>
    ${
      session.cancel_url === null
        ? null
        : html`<a class="button quiet" href="${session.cancel_url}">Cancel</a>`
    }`;
  return page(status, title, content, [session.success_url]);
}

function verb({ mode }: CheckoutSession, trial: boolean): string {
  if (mode === 'payment') return 'Buy';
  return trial ? 'Try' : 'Subscribe to';
}

function price(scope: Scope, { session, details }: Open): Markup {
  const recurring = details.lineItems.filter(isRecurring);
  const currency = session.currency ?? 'usd';
  const every = html`<small>per ${recurring[0] ? cycle(recurring[0].price) : 'period'}</small>`;
  // With a price that is paid once, the total is not what is due each period.
  const per = recurring.length === details.lineItems.length ? every : null;
  const { trialDays, trialEnd } = details.subscription;
  if (!hasTrial(details))
    return html`<p class="price">${money(session.amount_total ?? 0, currency)} ${per}</p>`;
  const full = recurring.reduce((sum, item) => sum + amountOf(scope, item.price, item.quantity, currency), 0);
  const days = trialDays ?? Math.ceil(((trialEnd ?? 0) - scope.now()) / 86_400);
  return html`<p class="price">${days} days free</p>
    <p class="soft">Then ${money(full, currency)} ${every}</p>`;
}

function lineRow(scope: Scope, item: LineItem): Markup {
  const { description, price, quantity, amount_subtotal: amount, currency } = item;
  const unit = Number(unitAmount(scope, price, currency));
  return html`<div>
    <dt>${description ?? price.id}${quantity !== null && quantity > 1 ? ` × ${quantity}` : ''}</dt>
    <dd>${isMetered(price) ? `${money(unit, currency)} per unit used` : money(amount, currency)}</dd>
  </div>`;
}

function discountRows(scope: Scope, session: CheckoutSession): Markup[] {
  const off = session.total_details?.amount_discount ?? 0;
  return (session.discounts ?? []).map((discount) => {
    const customer = scope.state.customers.get(session.customer ?? '') ?? null;
    const found = couponFor(scope, requestOf(discount), { customer, param: 'discounts' });
    return html`<div>
      <dt>${found.code?.code ?? found.coupon.name ?? found.coupon.id}</dt>
      <dd>${money(-off, session.currency ?? 'usd')}</dd>
    </div>`;
  });
}

function quantityForms({ session, details }: Open): Markup[] {
  return details.lineItems
    .filter((item) => item.adjustable_quantity?.enabled)
    .map((item) => {
      const { least, most } = quantityLimits(item);
      const label = `How many of ${item.description ?? item.price.id}`;
      const quantity = { name: 'quantity', label, value: String(item.quantity), min: least, max: most };
      return html`<form class="inline" method="post" action="/c/pay/${session.id}/quantity">
        <input type="hidden" name="item" value="${item.id}" />
        <div>${field({ ...quantity, type: 'number', inputmode: 'numeric' })}</div>
        <button type="submit" class="quiet">Update</button>
      </form>`;
    });
}

function promotionForm(
  session: CheckoutSession,
  form: URLSearchParams,
  problem: Problem | null,
): Markup | null {
  if (!session.allow_promotion_codes) return null;
  const action = `/c/pay/${session.id}/promotion-code`;
  if (session.discounts && session.discounts.length > 0) {
    return html`<form method="post" action="${action}">
      <button type="submit" class="quiet">Remove promotion code</button>
    </form>`;
  }
  const value = form.get('promotion_code') ?? '';
  return html`<form class="inline" method="post" action="${action}">
    <div>${field({ name: 'promotion_code', label: 'Promotion code', value }, problem)}</div>
    <button type="submit" class="quiet">Apply</button>
  </form>`;
}
