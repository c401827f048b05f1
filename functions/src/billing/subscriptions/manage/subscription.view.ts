import type Stripe from 'stripe';
import * as z from 'zod';
import { addOnsView } from '../../../common/add-ons.ts';
import { instant } from '../../../common/instant.ts';
import { intervalSchema } from '../../catalogue/interval.ts';

/** The open invoice of a subscription, for example for a change that takes effect after the payment. */
const openPayment = z
  .strictObject({
    url: z.string().describe("Stripe's page where the invoice can be paid."),
    amountDue: z.int().describe("In the currency's smallest unit."),
    currency: z.string(),
  })
  .meta({ id: 'OpenPayment' });

const planChange = z
  .strictObject({
    plan: z.string().nullable().describe('Slug of the plan; null if it is none of the plans.'),
    interval: intervalSchema.nullable(),
    at: instant,
  })
  .meta({ id: 'PlannedChange' });

/** A running subscription as its customer manages it. */
export const managedSubscriptionView = z
  .strictObject({
    id: z.string(),
    status: z.string().describe("Stripe's status, such as `active` or `past_due`."),
    plan: z.string().describe('Slug of the plan that the subscription pays for.'),
    interval: intervalSchema.nullable(),
    quantity: z.int().describe('The number of seats of a plan that is paid per seat; otherwise 1.'),
    seats: z
      .int()
      .nullable()
      .describe('Seats that are paid beside the base price; null if the plan has no such price.'),
    addOns: addOnsView,
    currentPeriodEnd: instant.nullable(),
    endsAt: instant.nullable().describe('When a cancelled subscription ends; null if it renews.'),
    plannedChange: planChange.nullable().describe('The change of plan at the end of the period.'),
    payment: openPayment
      .nullable()
      .describe('An invoice that the customer has to pay. Null while Stripe debits a bank account for it.'),
  })
  .meta({ id: 'ManagedSubscription' });

export type ManagedSubscriptionView = z.output<typeof managedSubscriptionView>;
export type OpenPaymentView = z.output<typeof openPayment>;
export type PlannedChangeView = z.output<typeof planChange>;

export const changePreviewView = z
  .strictObject({
    amountDue: z.int().describe("Amount of the invoice, in the currency's smallest unit."),
    currency: z.string(),
    dueAt: instant.describe('When the customer is charged.'),
    prorationDate: z
      .int()
      .nullable()
      .describe(
        'Send it with the change, so that the amount stays the same. Null for a change at the period end.',
      ),
    lines: z.array(
      z.strictObject({
        description: z.string().nullable(),
        amount: z.int().describe('Negative for a credit.'),
      }),
    ),
  })
  .meta({ id: 'ChangePreview' });

/** The `prorationDate` of a preview, in the request that makes the change. */
export const prorationDateSchema = z
  .int()
  .min(0)
  .optional()
  .describe('From a preview of the last five minutes, so that the amount stays the same.');

export type ChangePreviewView = z.output<typeof changePreviewView>;

export const invoiceView = z
  .strictObject({
    id: z.string(),
    number: z.string().nullable(),
    status: z.string().nullable().describe('`open`, `paid`, `void` or `uncollectible`.'),
    total: z.int().describe("In the currency's smallest unit."),
    amountDue: z.int(),
    currency: z.string(),
    createdAt: instant,
    pageUrl: z.string().nullable().describe('Page where the invoice can be viewed and paid.'),
    pdfUrl: z.string().nullable(),
  })
  .meta({ id: 'Invoice' });

export type InvoiceView = z.output<typeof invoiceView>;

export const invoicePageView = z.strictObject({
  invoices: z.array(invoiceView),
  nextCursor: z.string().nullable().describe('Cursor of the next page; null on the last one.'),
});

export function invoiceViewOf(invoice: Stripe.Invoice): InvoiceView {
  const { id, number, status, total, amount_remaining, currency, created } = invoice;
  return {
    id,
    number,
    status,
    total,
    amountDue: status === 'open' ? amount_remaining : 0,
    currency,
    createdAt: instantOf(created),
    pageUrl: invoice.hosted_invoice_url ?? null,
    pdfUrl: invoice.invoice_pdf ?? null,
  };
}

/** @param seconds since 1970, Stripe's unit of time */
export function instantOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
