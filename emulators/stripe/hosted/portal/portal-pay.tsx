import { collect } from '../../billing/invoices/collect.ts';
import { debitUnderWay } from '../../payments/debits.ts';
import type { Scope } from '../../world.ts';
import { notice, seeOther } from '../page.tsx';
import { openPortal, portalPage } from './portal-visit.tsx';

/** `POST /p/session/:id/invoices/:invoice/pay`: pays an open invoice with the saved card. */
export function payFromPortal(unscoped: Scope, id: string, invoiceId: string): Response {
  const visit = openPortal(unscoped, id);
  if (visit instanceof Response) return visit;
  const { customer, features, scope, session } = visit;
  const invoice = scope.state.invoices.get(invoiceId);
  const back = { href: session.url, text: 'Your subscriptions' };
  if (!features.invoice_history.enabled || invoice?.customer !== customer.id) {
    return notice(404, 'No such invoice', 'This invoice is not yours, or it does not exist.', back);
  }
  if (invoice.status !== 'open') return notice(409, 'Not open', 'This invoice is no longer open.', back);
  if (debitUnderWay(scope, invoice))
    return notice(409, 'Being paid', 'The payment of this invoice is processing.', back);
  const failure = collect(scope, invoice, { seen: true, asked: true });
  if (!failure) return seeOther(session.url);
  return portalPage(
    visit,
    402,
    'The payment failed',
    <>
      <p class="alert" role="alert">
        {failure.message}
      </p>
      <a class="button" href={invoice.hosted_invoice_url ?? ''}>
        Pay with another card
      </a>
    </>,
  );
}
