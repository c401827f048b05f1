import { cancelAtPeriodEnd } from '../billing/ending.ts';
import { PORTAL_LIFETIME } from '../resources/portal-sessions.ts';
import { byId } from '../state.ts';
import type { Customer, PortalSession, Subscription } from '../state.ts';
import type { Scope } from '../world.ts';
import { html, notice, page, seeOther } from './html.ts';
import type { Markup } from './html.ts';
import { cycle, money } from './money.ts';

interface Visit {
  session: PortalSession;
  customer: Customer;
}

/** `GET /p/session/:id`: the customer's subscriptions. */
export function showPortal(scope: Scope, id: string): Response {
  const visit = openPortal(scope, id);
  if (visit instanceof Response) return visit;
  const { session, customer } = visit;
  const subscriptions = scope.state.subscriptions.filter(
    (subscription) => subscription.customer === customer.id,
  );
  const cards = subscriptions.reverse().map((subscription) => card(scope, session, subscription));
  const content = html`<h1>Your subscriptions</h1>
    <p class="soft">${customer.name ?? customer.email ?? customer.id}</p>
    ${cards.length > 0 ? cards : html`<section><p>You have no subscription.</p></section>`}
    ${session.return_url === null ? null : html`<a class="button" href="${session.return_url}">Return</a>`}`;
  return page(200, 'Your subscriptions', content);
}

/** `POST /p/session/:id/subscriptions/:subscription/cancel|resume`: at the end of the period, as the portal's default is. */
export function changeSubscription(
  scope: Scope,
  id: string,
  subscriptionId: string,
  cancel: boolean,
): Response {
  const visit = openPortal(scope, id);
  if (visit instanceof Response) return visit;
  const back = { href: visit.session.url, text: 'Your subscriptions' };
  const subscription = byId(scope.state.subscriptions, subscriptionId);
  if (subscription?.customer !== visit.customer.id) {
    return notice(404, 'No such subscription', 'This subscription is not yours, or it does not exist.', back);
  }
  if (subscription.status === 'canceled') {
    return notice(409, 'Already ended', 'This subscription has ended and cannot be changed.', back);
  }
  cancelAtPeriodEnd(scope, subscription, cancel);
  return seeOther(visit.session.url);
}

function openPortal({ state, now }: Scope, id: string): Visit | Response {
  const session = byId(state.portalSessions, id);
  const customer = session && byId(state.customers, session.customer);
  if (!session || !customer)
    return notice(404, 'No such page', 'Check the link: this portal page does not exist.', null);
  if (session.created + PORTAL_LIFETIME <= now()) {
    const link = session.return_url === null ? null : { href: session.return_url, text: 'Return' };
    return notice(410, 'This link has expired', 'Go back and open the portal again.', link);
  }
  return { session, customer };
}

function card({ state }: Scope, session: PortalSession, subscription: Subscription): Markup {
  const names = subscription.items.data.map(
    ({ price }) => byId(state.products, price.product)?.name ?? price.product,
  );
  const total = subscription.items.data.reduce(
    (sum, { price, quantity }) => sum + price.unit_amount * quantity,
    0,
  );
  const [first] = subscription.items.data;
  const action = subscription.cancel_at_period_end ? 'resume' : 'cancel';
  const name = names.join(', ');
  return html`<section>
    <h2>${name}</h2>
    <p>${money(total, subscription.currency)} per ${first ? cycle(first.price) : 'period'}</p>
    <p class="soft">${standing(subscription)}</p>
    ${
      subscription.status === 'canceled'
        ? null
        : html`<form
            method="post"
            action="/p/session/${session.id}/subscriptions/${subscription.id}/${action}"
          >
            <button type="submit" class="${action === 'cancel' ? 'danger' : 'quiet'}">
              ${action === 'cancel' ? `Cancel ${name}` : `Keep ${name}`}
            </button>
          </form>`
    }
  </section>`;
}

function standing({ status, ended_at: ended, cancel_at: cancelAt, items }: Subscription): string {
  if (status === 'canceled') return `Ended on ${day(ended)}`;
  if (cancelAt !== null) return `Active, ends on ${day(cancelAt)}`;
  return `Active, renews on ${day(items.data[0]?.current_period_end ?? null)}`;
}

function day(seconds: number | null): string {
  return seconds === null ? 'an unknown day' : new Date(seconds * 1000).toISOString().slice(0, 10);
}
