import { collect } from '../billing/invoices/collect.ts';
import { attachMethod, createCard } from '../billing/payment-methods.ts';
import type { Customer, Invoice } from '../objects.ts';
import { debitUnderWay } from '../payments/debits.ts';
import { inTimeOf } from '../world.ts';
import type { Scope } from '../world.ts';
import { checkCard, typedCard } from './card-check.ts';
import { authenticationPage, CardFields } from './card-fields.tsx';
import { Alert, Fact } from './fields.tsx';
import type { Problem } from './fields.tsx';
import { money } from './money.ts';
import { notice, page, QuietLink, seeOther } from './page.tsx';

const NOTHING_TYPED = new URLSearchParams();

/** `GET /i/:id`: an invoice, with a card form while it is open. */
export function showInvoice(scope: Scope, id: string): Response {
  const invoice = scope.state.invoices.get(id);
  if (!invoice?.hosted_invoice_url) return notFound();
  return invoicePage(200, { scope, invoice, form: NOTHING_TYPED, problem: null });
}

/** `POST /i/:id`: pays an open invoice with another card, which the subscription keeps. */
export function payInvoice(unscoped: Scope, id: string, form: URLSearchParams): Response {
  const { state } = unscoped;
  const invoice = state.invoices.get(id);
  const customer = invoice && state.customers.get(invoice.customer);
  if (!invoice?.hosted_invoice_url || !customer) return notFound();
  if (!canBePaid(unscoped, invoice))
    return invoicePage(409, { scope: unscoped, invoice, form, problem: null });
  const scope = inTimeOf(unscoped, invoice);
  const card = checkCard(scope, form, true);
  if (card.kind === 'refused')
    return invoicePage(card.status, { scope, invoice, form, problem: card.problem });
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
  const method = attachMethod(scope, createCard(scope, number, authenticated), customer);
  collect(scope, invoice, { method, seen: true, asked: true });
}

/** True for an open invoice, unless its bank debit is under way. */
function canBePaid(scope: Scope, invoice: Invoice): boolean {
  return invoice.status === 'open' && !debitUnderWay(scope, invoice);
}

function notFound(): Response {
  return notice(404, 'No such invoice', 'Check the link: this invoice does not exist.', null);
}

interface Shown {
  scope: Scope;
  invoice: Invoice;
  /** The values that were typed. */
  form: URLSearchParams;
  problem: Problem | null;
}

function invoicePage(status: number, shown: Shown): Response {
  const title = `Invoice ${shown.invoice.number ?? ''}`;
  return page(status, title, <InvoicePage {...shown} title={title} />);
}

function InvoicePage({ scope, invoice, form, problem, title }: Shown & { title: string }) {
  const { currency, lines, total, amount_due: due, status } = invoice;
  const discount = (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  return (
    <>
      <h1>{title}</h1>
      <p class="price">
        {money(due, currency)} <small>{status ?? ''}</small>
      </p>
      <dl>
        {lines.data.map(({ id, description, amount }) => (
          <Fact key={id} name={description ?? ''} value={money(amount, currency)} />
        ))}
        {discount > 0 ? <Fact name="Discount" value={money(-discount, currency)} /> : null}
        <Fact name="Total" value={money(total, currency)} />
      </dl>
      <Alert problem={problem} />
      {debitUnderWay(scope, invoice) ? <p>The payment is processing.</p> : null}
      {canBePaid(scope, invoice) ? (
        <form method="post" action={`/i/${invoice.id}`}>
          <CardFields values={typedCard(scope, form)} problem={problem} />
          <button type="submit">Pay {money(due, currency)}</button>
        </form>
      ) : null}
      <QuietLink href={invoice.invoice_pdf ?? ''} text="Download PDF" />
    </>
  );
}
