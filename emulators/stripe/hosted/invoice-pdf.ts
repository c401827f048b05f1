import type { Invoice } from '../objects.ts';
import type { Scope } from '../world.ts';
import { money } from './money.ts';
import { notice } from './page.tsx';

/** `GET /i/:id/pdf`: a finalized invoice as a PDF of one page. */
export function downloadInvoice(scope: Scope, id: string): Response {
  const invoice = scope.state.invoices.get(id);
  if (!invoice?.invoice_pdf) {
    return notice(404, 'No such invoice', 'Check the link: this invoice does not exist.', null);
  }
  return new Response(pdfOf(textOf(invoice)), {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Invoice-${invoice.number ?? invoice.id}.pdf"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}

function textOf(invoice: Invoice): string[] {
  const { currency, created, customer_name: name, customer_email: email, lines } = invoice;
  return [
    `Invoice ${invoice.number ?? ''}`,
    `Date: ${new Date(created * 1000).toISOString().slice(0, 10)}`,
    `Bill to: ${[name, email].filter(Boolean).join(', ')}`,
    ...(invoice.customer_tax_ids ?? []).map(({ type, value }) => `Tax ID: ${type} ${value ?? ''}`),
    '',
    ...lines.data.map(({ description, amount }) => `${description ?? ''}: ${money(amount, currency)}`),
    '',
    `Total: ${money(invoice.total, currency)}`,
    `Amount due: ${money(invoice.amount_remaining, currency)}`,
    `Status: ${invoice.status ?? ''}`,
  ];
}

/** A PDF with lines of text; ISO 32000-1. Characters outside of Latin-1 become question marks. */
function pdfOf(lines: readonly string[]): Buffer<ArrayBuffer> {
  const shown = lines.map((line) => `(${line.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj T*`).join('\n');
  const content = latin1(`BT /F1 12 Tf 16 TL 56 780 Td\n${shown}\nET`);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(`${body}${table}${trailer}`, 'latin1');
}

function latin1(text: string): string {
  return text.replaceAll(/[^\n\x20-\x7E\xA0-\xFF]/gu, '?');
}
