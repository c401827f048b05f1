import { amountOf, isMetered } from '../billing/amounts.ts';
import { hasEnded } from '../billing/ending.ts';
import { productName } from '../billing/lines.ts';
import { payingMethod } from '../billing/payment-methods.ts';
import type { Invoice, PaymentMethod, PortalSession, Subscription, SubscriptionItem } from '../state.ts';
import type { Scope } from '../world.ts';
import { html, page } from './html.ts';
import type { Markup } from './html.ts';
import { cycle, money } from './money.ts';
import { showCancel } from './portal-cancel.ts';
import { showPaymentMethod } from './portal-card.ts';
import { plannedChange } from './portal-schedule.ts';
import { confirmFlowUpdate, showUpdate } from './portal-update.ts';
import { openPortal } from './portal-visit.ts';
import type { Visit } from './portal-visit.ts';

const NOTHING_TYPED = new URLSearchParams();

/** `GET /p/session/:id`: the customer's subscriptions, card and invoices; or the one page that the portal is opened for. */
export function showPortal(unscoped: Scope, id: string): Response {
  const visit = openPortal(unscoped, id);
  if (visit instanceof Response) return visit;
  const { flow } = visit.session;
  if (flow?.type === 'payment_method_update') return showPaymentMethod(unscoped, id);
  if (flow?.subscription_cancel) return showCancel(unscoped, id, flow.subscription_cancel.subscription);
  if (flow?.subscription_update) {
    return showUpdate(unscoped, id, flow.subscription_update.subscription, NOTHING_TYPED);
  }
  if (flow?.subscription_update_confirm) {
    return confirmFlowUpdate(unscoped, id, flow.subscription_update_confirm);
  }
  return homePage(visit);
}

function homePage(visit: Visit): Response {
  const { scope, session, customer } = visit;
  const subscriptions = scope.state.subscriptions.where(({ customer: owner }) => owner === customer.id);
  const cards = subscriptions.reverse().map((subscription) => card(visit, subscription));
  const content = html`<h1>Your subscriptions</h1>
    <p class="soft">${customer.name ?? customer.email ?? customer.id}</p>
    ${cards.length > 0 ? cards : html`<section><p>You have no subscription.</p></section>`}
    ${paymentSection(visit)} ${invoiceSection(visit)}
    ${session.return_url === null ? null : html`<a class="button" href="${session.return_url}">Return</a>`}`;
  return page(200, 'Your subscriptions', content);
}

function card({ scope, session, features }: Visit, subscription: Subscription): Markup {
  const { items, currency } = subscription;
  const total = items.data.reduce(
    (sum, { price, quantity }) => sum + amountOf(scope, price, quantity, currency),
    0,
  );
  const [first] = items.data;
  const name = items.data.map((item) => productName(scope, item)).join(', ');
  const seats =
    items.data.length === 1 && first?.quantity !== undefined && first.quantity > 1
      ? ` × ${first.quantity}`
      : '';
  const path = `/p/session/${session.id}/subscriptions/${subscription.id}`;
  const open = !hasEnded(subscription);
  return html`<section>
    <h2>${name}${seats}</h2>
    <p>${money(total, currency)} per ${first ? cycle(first.price) : 'period'}</p>
    <p class="soft">${standing(subscription)}</p>
    ${open ? plannedChange(scope, subscription, path) : null}
    ${
      open &&
      features.subscription_update.enabled &&
      isChangeable(items.data) &&
      subscription.schedule === null
        ? html`<a class="button quiet" href="${path}/update">Change plan</a>`
        : null
    }
    ${open && features.subscription_cancel.enabled ? endForm(path, name, subscription) : null}
  </section>`;
}

/** The portal changes a subscription with one item that is not metered. */
function isChangeable(items: readonly SubscriptionItem[]): boolean {
  return items.length === 1 && items.every(({ price }) => !isMetered(price));
}

function endForm(path: string, name: string, { cancel_at: cancelAt }: Subscription): Markup {
  return cancelAt === null
    ? html`<form method="post" action="${path}/cancel">
        <button type="submit" class="danger">Cancel ${name}</button>
      </form>`
    : html`<form method="post" action="${path}/resume"><button type="submit">Keep ${name}</button></form>`;
}

const STANDING: Readonly<Record<string, string>> = {
  active: 'Active',
  canceled: 'Ended',
  incomplete: 'Waiting for the first payment',
  incomplete_expired: 'Never paid',
  past_due: 'Payment failed',
  paused: 'Paused',
  trialing: 'Trial',
  unpaid: 'Unpaid',
};

function standing(subscription: Subscription): string {
  const { status, ended_at: ended, cancel_at: cancelAt, items } = subscription;
  const word = STANDING[status] ?? status;
  if (status === 'canceled') return `${word} on ${day(ended)}`;
  if (status === 'incomplete' || status === 'incomplete_expired' || status === 'paused') return word;
  if (cancelAt !== null) return `${word}, ends on ${day(cancelAt)}`;
  return `${word}, renews on ${day(items.data[0]?.current_period_end ?? null)}`;
}

function paymentSection({ scope, session, customer, features }: Visit): Markup | null {
  if (!features.payment_method_update.enabled) return null;
  const { default_payment_method: id } = customer.invoice_settings;
  const subscription = scope.state.subscriptions
    .where((row) => row.customer === customer.id && !hasEnded(row))
    .at(-1);
  const method =
    (subscription && payingMethod(scope, subscription)) ??
    scope.state.paymentMethods.get(typeof id === 'string' ? id : '');
  return html`<section>
    <h2>Payment method</h2>
    <p>${method ? cardName(method) : 'None yet'}</p>
    <a class="button quiet" href="/p/session/${session.id}/payment-method">
      ${method ? 'Change payment method' : 'Add payment method'}
    </a>
  </section>`;
}

function cardName({ card: { brand, last4, exp_month: month, exp_year: year } }: PaymentMethod): string {
  const name = `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`;
  return `${name} •••• ${last4}, expires ${String(month).padStart(2, '0')}/${year}`;
}

function invoiceSection({ scope, session, customer, features }: Visit): Markup | null {
  if (!features.invoice_history.enabled) return null;
  const invoices = scope.state.invoices.where(
    ({ customer: owner, status }) => owner === customer.id && status !== 'draft',
  );
  if (invoices.length === 0) return null;
  return html`<section>
    <h2 id="invoices">Invoices</h2>
    <table aria-labelledby="invoices">
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Amount</th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        ${invoices.reverse().map((invoice) => invoiceRow(session, invoice))}
      </tbody>
    </table>
  </section>`;
}

function invoiceRow({ id: session }: PortalSession, invoice: Invoice): Markup {
  const { id, created, hosted_invoice_url: url, total, amount_remaining: due, currency, status } = invoice;
  return html`<tr>
    <td><a href="${url ?? ''}">${day(created)}</a></td>
    <td>${money(total, currency)}</td>
    <td>
      ${status === 'open' ? 'Open' : status === 'paid' ? 'Paid' : 'Void'}
      ${
        status === 'open'
          ? html`<form method="post" action="/p/session/${session}/invoices/${id}/pay">
              <button type="submit">Pay ${money(due, currency)}</button>
            </form>`
          : null
      }
    </td>
  </tr>`;
}

function day(seconds: number | null): string {
  return seconds === null ? 'an unknown day' : new Date(seconds * 1000).toISOString().slice(0, 10);
}
