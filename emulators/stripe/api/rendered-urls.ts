import { randomUUID } from 'node:crypto';

/** Properties whose URL has another token in each answer. https://docs.stripe.com/invoicing/hosted-invoice-page */
const RENDERED_ANEW: readonly string[] = ['hosted_invoice_url', 'invoice_pdf'];

/** Writes an answer as JSON. As at Stripe, the URLs of an invoice differ in each answer, and lead to the same page. */
export function toJson(answer: object): string {
  return JSON.stringify(answer, (name, value: unknown) =>
    RENDERED_ANEW.includes(name) && typeof value === 'string' ? `${value}?s=${randomUUID()}` : value,
  );
}
