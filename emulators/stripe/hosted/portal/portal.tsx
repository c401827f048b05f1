import { amountOf, isMetered } from '../../billing/invoices/amounts.ts';
import { productName } from '../../billing/invoices/lines.ts';
import { payingMethod } from '../../billing/payment-methods.ts';
import { hasEnded } from '../../billing/subscriptions/ending.ts';
import type { Invoice, PaymentMethod, Subscription, SubscriptionItem } from '../../objects.ts';
import type { Scope } from '../../world.ts';
import { cycle, money } from '../money.ts';
import { page, QuietLink } from '../page.tsx';
import { showCancel } from './portal-cancel.tsx';
import { showPaymentMethod } from './portal-card.tsx';
import { PlannedChange } from './portal-schedule.tsx';
import { confirmFlowUpdate, showUpdate } from './portal-update.tsx';
import { openPortal } from './portal-visit.tsx';
import type { Visit } from './portal-visit.tsx';

const NOTHING_TYPED = new URLSearchParams();

/**
 * `GET /p/session/:id`: the customer's subscriptions, card and invoices; or the one page that the portal is opened for.
 */
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
  return page(200, 'Your subscriptions', <HomePage {...visit} />);
}

function HomePage(visit: Visit) {
  const { scope, session, customer } = visit;
  const subscriptions = scope.state.subscriptions.where(({ customer: owner }) => owner === customer.id);
  return (
    <>
      <h1>Your subscriptions</h1>
      <p class="soft">{customer.name ?? customer.email ?? customer.id}</p>
      {subscriptions.reverse().map((subscription) => (
        <SubscriptionSection key={subscription.id} visit={visit} subscription={subscription} />
      ))}
      {subscriptions.length === 0 ? (
        <section>
          <p>You have no subscription.</p>
        </section>
      ) : null}
      <PaymentSection {...visit} />
      <InvoiceSection {...visit} />
      {session.return_url === null ? null : (
        <a class="button" href={session.return_url}>
          Return
        </a>
      )}
    </>
  );
}

function SubscriptionSection({ visit, subscription }: { visit: Visit; subscription: Subscription }) {
  const { scope, session, features } = visit;
  const { items, currency, schedule } = subscription;
  const total = items.data.reduce(
    (sum, { price, quantity }) => sum + amountOf(scope, price, quantity, currency),
    0,
  );
  const [first] = items.data;
  const name = items.data.map((item) => productName(scope, item)).join(', ');
  const path = `/p/session/${session.id}/subscriptions/${subscription.id}`;
  const open = !hasEnded(subscription);
  const changeable = features.subscription_update.enabled && isChangeable(items.data) && schedule === null;
  return (
    <section>
      <h2>{name + seats(items.data)}</h2>
      <p>
        {money(total, currency)} per {first ? cycle(first.price) : 'period'}
      </p>
      <p class="soft">{statusText(subscription)}</p>
      {open ? <PlannedChange scope={scope} subscription={subscription} path={path} /> : null}
      {open && changeable ? <QuietLink href={`${path}/update`} text="Change plan" /> : null}
      {open && features.subscription_cancel.enabled ? (
        <EndForm path={path} name={name} subscription={subscription} />
      ) : null}
    </section>
  );
}

/** The quantity of a subscription with one item, if it is more than one. */
function seats(items: readonly SubscriptionItem[]): string {
  const [first] = items;
  return items.length === 1 && first?.quantity !== undefined && first.quantity > 1
    ? ` × ${first.quantity}`
    : '';
}

/** The portal changes a subscription with one item that is not metered. */
function isChangeable(items: readonly SubscriptionItem[]): boolean {
  return items.length === 1 && items.every(({ price }) => !isMetered(price));
}

interface EndProps {
  path: string;
  name: string;
  subscription: Subscription;
}

function EndForm({ path, name, subscription: { cancel_at: cancelAt } }: EndProps) {
  if (cancelAt !== null) {
    return (
      <form method="post" action={`${path}/resume`}>
        <button type="submit">Keep {name}</button>
      </form>
    );
  }
  return (
    <form method="post" action={`${path}/cancel`}>
      <button type="submit" class="danger">
        Cancel {name}
      </button>
    </form>
  );
}

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  active: 'Active',
  canceled: 'Ended',
  incomplete: 'Waiting for the first payment',
  incomplete_expired: 'Never paid',
  past_due: 'Payment failed',
  paused: 'Paused',
  trialing: 'Trial',
  unpaid: 'Unpaid',
};

function statusText(subscription: Subscription): string {
  const { status, ended_at: ended, cancel_at: cancelAt, items } = subscription;
  const word = STATUS_TEXTS[status] ?? status;
  if (status === 'canceled') return `${word} on ${day(ended)}`;
  if (status === 'incomplete' || status === 'incomplete_expired' || status === 'paused') return word;
  if (cancelAt !== null) return `${word}, ends on ${day(cancelAt)}`;
  return `${word}, renews on ${day(items.data[0]?.current_period_end ?? null)}`;
}

function PaymentSection({ scope, session, customer, features }: Visit) {
  if (!features.payment_method_update.enabled) return null;
  const { default_payment_method: id } = customer.invoice_settings;
  const subscription = scope.state.subscriptions
    .where((row) => row.customer === customer.id && !hasEnded(row))
    .at(-1);
  const method =
    scope.state.paymentMethods.get(typeof id === 'string' ? id : '') ??
    (subscription && payingMethod(scope, subscription));
  return (
    <section>
      <h2>Payment method</h2>
      <p>{method ? methodName(method) : 'None yet'}</p>
      <QuietLink
        href={`/p/session/${session.id}/payment-method`}
        text={method ? 'Change payment method' : 'Add payment method'}
      />
    </section>
  );
}

function methodName({ card, sepa_debit: account }: PaymentMethod): string {
  if (!card) return `Bank account •••• ${account?.last4 ?? ''}`;
  const { brand, last4, exp_month: month, exp_year: year } = card;
  const name = `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`;
  return `${name} •••• ${last4}, expires ${String(month).padStart(2, '0')}/${year}`;
}

function InvoiceSection({ scope, session, customer, features }: Visit) {
  if (!features.invoice_history.enabled) return null;
  const invoices = scope.state.invoices.where(
    ({ customer: owner, status }) => owner === customer.id && status !== 'draft',
  );
  if (invoices.length === 0) return null;
  return (
    <section>
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
          {invoices.reverse().map((invoice) => (
            <InvoiceRow key={invoice.id} session={session.id} invoice={invoice} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function InvoiceRow({ session, invoice }: { session: string; invoice: Invoice }) {
  const { id, created, hosted_invoice_url: url, total, amount_remaining: due, currency, status } = invoice;
  return (
    <tr>
      <td>
        <a href={url ?? ''}>{day(created)}</a>
      </td>
      <td>{money(total, currency)}</td>
      <td>
        {status === 'open' ? 'Open' : status === 'paid' ? 'Paid' : 'Void'}
        {status === 'open' ? (
          <form method="post" action={`/p/session/${session}/invoices/${id}/pay`}>
            <button type="submit">Pay {money(due, currency)}</button>
          </form>
        ) : null}
      </td>
    </tr>
  );
}

function day(seconds: number | null): string {
  return seconds === null ? 'an unknown day' : new Date(seconds * 1000).toISOString().slice(0, 10);
}
