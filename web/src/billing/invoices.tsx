import type { Invoice } from '@hearth/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { formatDate } from '../format.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Card, Empty } from '../ui/card.tsx';
import { Message } from '../ui/message.tsx';
import { uiTexts } from '../ui/texts.ts';
import { formatPrice } from './offers.ts';
import { billingTexts } from './texts.ts';

/** The invoices of the user or of a team, latest first, with links to pay and to download them. */
export function Invoices({ team }: { team: string | undefined }) {
  const texts = billingTexts().invoices;
  const shown = useSignal<Invoice[] | undefined>(undefined);
  const cursor = useSignal<string | null>(null);
  const invoices = shown.value;
  const { busy, outcome, run } = useAction();
  const load = async (after: string | null) => {
    const page = await hearth.subscription.invoices({
      ...(team !== undefined && { team }),
      ...(after !== null && { cursor: after }),
    });
    shown.value = after === null ? page.items : [...(shown.peek() ?? []), ...page.items];
    cursor.value = page.nextCursor;
  };
  useEffect(() => void run(() => load(null)), [team]);
  return (
    <Card title={texts.title}>
      <Message outcome={outcome} />
      {invoices?.length === 0 && <Empty>{texts.empty}</Empty>}
      {invoices !== undefined && invoices.length > 0 && <InvoiceTable invoices={invoices} />}
      {invoices === undefined && outcome !== undefined && (
        <Button busy={busy} onClick={() => void run(() => load(null))}>
          {uiTexts().tryAgain}
        </Button>
      )}
      {cursor.value !== null && (
        <Button busy={busy} onClick={() => void run(() => load(cursor.value))}>
          {texts.more}
        </Button>
      )}
    </Card>
  );
}

function InvoiceTable({ invoices }: { invoices: Invoice[] }) {
  const texts = billingTexts().invoices;
  const statuses: Readonly<Record<string, string>> = texts.statuses;
  return (
    <table class="lines">
      <thead>
        <tr>
          <th scope="col">{texts.date}</th>
          <th scope="col">{texts.amount}</th>
          <th scope="col">{texts.status}</th>
          <th scope="col">{texts.documents}</th>
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => (
          <tr key={invoice.id}>
            <td>{formatDate(new Date(invoice.createdAt))}</td>
            <td class="number">{formatPrice(invoice.total, invoice.currency)}</td>
            <td>{statuses[invoice.status ?? ''] ?? invoice.status}</td>
            <td>
              <Documents invoice={invoice} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Documents({ invoice: { number, pageUrl, pdfUrl, status } }: { invoice: Invoice }) {
  const texts = billingTexts().invoices;
  const [view, viewInvoice] =
    status === 'open' ? [texts.pay, texts.payInvoice] : [texts.view, texts.viewInvoice];
  return (
    <span class="actions">
      {pageUrl !== null && (
        <a href={pageUrl} aria-label={viewInvoice(number ?? '')}>
          {view}
        </a>
      )}
      {pdfUrl !== null && (
        <a href={pdfUrl} aria-label={texts.pdfOf(number ?? '')}>
          PDF
        </a>
      )}
    </span>
  );
}
