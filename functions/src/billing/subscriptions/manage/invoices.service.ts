import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { withStripeRefusals, isMissing } from '../../stripe/stripe-errors.ts';
import type { Subject } from '../../subject.ts';
import { invoiceViewOf, type InvoiceView } from './subscription.view.ts';

interface InvoicePage {
  invoices: InvoiceView[];
  nextCursor: string | null;
}

const PAGE_SIZE = 20;

/**
 * Latest first. Drafts are left out, because Stripe may still change them. One call to Stripe.
 *
 * @param cursor `nextCursor` of the previous page
 * @throws Refusal `invoice_page_not_found` for an unknown cursor
 */
export async function listInvoices(
  { db, stripe }: Backend,
  { customerId }: Pick<Subject, 'customerId'>,
  cursor: string | undefined,
): Promise<InvoicePage> {
  const stripeCustomerId = (await db.customers.get(customerId))?.stripeId;
  if (stripeCustomerId === undefined) return { invoices: [], nextCursor: null };
  const client = await stripe();
  const page = await withStripeRefusals(() => readPage(client, stripeCustomerId, cursor));
  const last = page.data.at(-1);
  return {
    invoices: page.data.filter(({ status }) => status !== 'draft').map(invoiceViewOf),
    nextCursor: page.has_more && last !== undefined ? last.id : null,
  };
}

async function readPage(
  stripe: Stripe,
  customer: string,
  cursor: string | undefined,
): Promise<Pick<Stripe.ApiList<Stripe.Invoice>, 'data' | 'has_more'>> {
  const after = cursor !== undefined && { starting_after: cursor };
  try {
    return await stripe.invoices.list({ customer, limit: PAGE_SIZE, ...after });
  } catch (error) {
    if (isMissing(error, 'starting_after')) throw refusal('invoice_page_not_found');
    // The Stripe customer was deleted in the dashboard.
    if (isMissing(error, 'customer')) return { data: [], has_more: false };
    throw error;
  }
}
