import { collect } from '../billing/collect.ts';
import { attachCard, createCard } from '../billing/payment-methods.ts';
import type { Customer, Invoice } from '../state.ts';
import { inTimeOf } from '../world.ts';
import type { Scope } from '../world.ts';
import { authenticationPage, cardFields, checkCard, typedCard } from './card-form.ts';
import { alert } from './fields.ts';
import type { Problem } from './fields.ts';
import { html, notice, page, seeOther } from './html.ts';
import { money } from './money.ts';

const NOTHING_TYPED = new URLSearchParams();

/** `GET /i/:id`: an invoice, and a card form while it is open. */
export function showInvoice(scope: Scope, id: string): Response {
  const invoice = scope.state.invoices.get(id);
  if (!invoice?.hosted_invoice_url) return notFound();
  return invoicePage(scope, 200, invoice, NOTHING_TYPED, null);
}

/** `POST /i/:id`: pays an open invoice with another card, which the subscription keeps. */
export function payInvoice(unscoped: Scope, id: string, form: URLSearchParams): Response {
  const { state } = unscoped;
  const invoice = state.invoices.get(id);
  const customer = invoice && state.customers.get(invoice.customer);
  if (!invoice?.hosted_invoice_url || !customer) return notFound();
  if (invoice.status !== 'open') return invoicePage(unscoped, 409, invoice, form, null);
  const scope = inTimeOf(unscoped, invoice);
  const card = checkCard(scope, form, true);
  if (card.kind === 'refused') return invoicePage(scope, card.status, invoice, form, card.problem);
  if (card.kind === 'authenticate') return authenticationPage(`/i/${id}`, form, []);
  pay(scope, invoice, customer, card);
  return seeOther(invoice.hosted_invoice_url);
}

function pay(
  scope: Scope,
  invoice: Invoice,
  customer: Customer,
  { number, authenticated }: { number: string; authenticated: boolean },
): void {
  const method = attachCard(scope, createCard(scope, number, authenticated), customer);
  collect(scope, invoice, { method, seen: true, asked: true });
}

function notFound(): Response {
  return notice(404, 'No such invoice', 'Check the link: this invoice does not exist.', null);
}

function invoicePage(
  scope: Scope,
  status: number,
  invoice: Invoice,
  form: URLSearchParams,
  problem: Problem | null,
): Response {
  const { currency, lines, number, total, amount_due: due } = invoice;
  const discount = (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  const title = `Invoice ${number ?? ''}`;
  const row = (name: string, amount: number) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${money(amount, currency)}</dd>
    </div>`;
  const content = html`<h1>${title}</h1>
    <p class="price">${money(due, currency)} <small>${invoice.status ?? ''}</small></p>
    <dl>
      ${lines.data.map(({ description, amount }) => row(description ?? '', amount))}
      ${discount > 0 ? row('Discount', -discount) : null} ${row('Total', total)}
    </dl>
    ${alert(problem)}
    ${
      invoice.status === 'open'
        ? html`<form method="post" action="/i/${invoice.id}">
            ${cardFields(typedCard(scope, form), problem)}
            <button type="submit">Pay ${money(due, currency)}</button>
          </form>`
        : null
    }
    <a class="button quiet" href="${invoice.invoice_pdf ?? ''}">Download PDF</a>`;
  return page(status, title, content);
}
