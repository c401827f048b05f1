import { byId } from '../state.ts';
import type { CheckoutDetails, CheckoutSession } from '../state.ts';
import type { Scope } from '../world.ts';
import { completeCheckout } from './complete.ts';
import { html, notice, page, seeOther } from './html.ts';
import type { Markup } from './html.ts';
import { cycle, money } from './money.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

interface Open {
  session: CheckoutSession;
  details: CheckoutDetails;
}

/** `GET /c/pay/:id`: the plan, its price, who pays, and the two ways out. */
export function showCheckout(scope: Scope, id: string): Response {
  const found = openSession(scope, id, 200);
  return found instanceof Response ? found : checkoutPage(200, found, '', null);
}

/** `POST /c/pay/:id`: pays, then goes to the success page. A second payment changes nothing. */
export function payCheckout(scope: Scope, id: string, form: URLSearchParams): Response {
  const found = openSession(scope, id, 409);
  if (found instanceof Response) return found;
  const { session, details } = found;
  const typed = form.get('email')?.trim() ?? '';
  const email = session.customer_details?.email ?? typed;
  if (!EMAIL.test(email)) return checkoutPage(400, found, typed, 'Please enter a valid e-mail address.');
  completeCheckout(scope, session, details, email, '4242424242424242');
  return seeOther(successUrl(session));
}

/** @param paidStatus the HTTP status for a session that is paid already */
function openSession({ state }: Scope, id: string, paidStatus: number): Open | Response {
  const session = byId(state.checkoutSessions, id);
  const details = byId(state.checkoutDetails, id);
  if (!session || !details) {
    return notice(404, 'No such checkout', 'Check the link: this checkout page does not exist.', null);
  }
  if (session.status === 'complete') {
    const link = { href: successUrl(session), text: 'Continue' };
    return notice(
      paidStatus,
      'Already paid',
      'This checkout is complete. You have not been charged again.',
      link,
    );
  }
  if (session.status === 'expired') {
    const link = session.cancel_url === null ? null : { href: session.cancel_url, text: 'Go back' };
    return notice(
      410,
      'This checkout has expired',
      'Go back and start again. You have not been charged.',
      link,
    );
  }
  if (session.customer !== null && !byId(state.customers, session.customer)) {
    return notice(
      410,
      'This checkout has ended',
      'Its customer was deleted. You have not been charged.',
      null,
    );
  }
  return { session, details };
}

function successUrl({ success_url: url, id }: CheckoutSession): string {
  return new URL((url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id)).href;
}

function checkoutPage(
  status: number,
  { session, details }: Open,
  typed: string,
  problem: string | null,
): Response {
  const total = money(session.amount_total ?? 0, session.currency ?? 'usd');
  const [first] = details.lineItems;
  const title = `Subscribe to ${first?.description ?? 'a plan'}`;
  const content = html`<h1>${title}</h1>
    <p class="price">${total} <small>per ${first ? cycle(first.price) : 'period'}</small></p>
    <dl>
      ${details.lineItems.map(
        (item) =>
          html`<div>
            <dt>${item.description ?? item.price.id}${item.quantity > 1 ? ` × ${item.quantity}` : ''}</dt>
            <dd>${money(item.amount_total, item.currency)}</dd>
          </div>`,
      )}
      ${
        session.customer_details?.email
          ? html`<div>
              <dt>E-mail</dt>
              <dd>${session.customer_details.email}</dd>
            </div>`
          : null
      }
    </dl>
    ${problem === null ? null : html`<p class="alert" id="problem" role="alert">${problem}</p>`}
    <form method="post" action="/c/pay/${session.id}">
      ${session.customer_details?.email ? null : emailField(typed, problem !== null)}
      <button type="submit">Pay ${total}</button>
    </form>
    ${session.cancel_url === null ? null : html`<a class="button quiet" href="${session.cancel_url}">Cancel</a>`}`;
  return page(status, title, content, [session.success_url]);
}

function emailField(typed: string, invalid: boolean): Markup {
  const described = invalid ? html` aria-invalid="true" aria-describedby="problem"` : null;
  return html`<label for="email">E-mail</label>
    <input
      id="email"
      name="email"
      type="email"
      autocomplete="email"
      required
      value="${typed}"
      ${described}
    />`;
}
