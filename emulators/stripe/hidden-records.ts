import type Stripe from 'stripe';
import type { ApiList, InvoiceLine, LineItem, Metadata, Subscription } from './objects.ts';

/** Records of the state that the API never shows. They have an id as all rows of a table. */

/** The signing secret of a webhook endpoint, by the id of the endpoint. */
export interface WebhookSecret {
  id: string;
  secret: string;
}

/** The values of a checkout session that it does not show, for the subscription or payment that follows. */
export interface CheckoutDetails {
  id: string;
  lineItems: LineItem[];
  subscription: {
    metadata: Metadata;
    description: string | null;
    /** Days of trial from the payment on, or (as `trialEnd`) its end in seconds since 1970. */
    trialDays: number | null;
    trialEnd: number | null;
    missingPaymentMethod: 'cancel' | 'create_invoice' | 'pause';
  };
  /** The values of the payment intent, in payment mode. */
  payment: {
    description: string | null;
    metadata: Metadata;
    receiptEmail: string | null;
    setupFutureUsage: 'off_session' | 'on_session' | null;
    statementDescriptor: string | null;
  };
  /** The e-mail address that the page is filled with. */
  prefilledEmail: string | null;
  /** The properties of an existing customer that the page may change. */
  customerUpdate: { address: boolean; name: boolean };
}

/** The line items of a payment link (the id). */
export interface LinkItems {
  id: string;
  lineItems: LineItem[];
}

/** An event that a meter counts. Times are in seconds since 1970. */
export interface UsageEvent {
  id: string;
  /** Unique within 24 hours. */
  identifier: string;
  created: number;
  /** Empty if the event counts for nobody. */
  customer: string;
  eventName: string;
  payload: Record<string, string>;
  timestamp: number;
  value: number;
}

/** The amounts of a price (the id) in other currencies, per unit and as text. */
export interface CurrencyAmounts {
  id: string;
  amounts: Record<string, string>;
}

/** The products between whose prices a portal configuration (the id) can switch. */
export interface PortalProducts {
  id: string;
  /** Null for every active price. */
  products: Stripe.BillingPortal.Configuration.Features.SubscriptionUpdate.Product[] | null;
}

/** The lines of a preview of an invoice (the id), which is itself not stored. */
export interface PreviewLines {
  id: string;
  lines: ApiList<InvoiceLine>;
}

/** A feature that is attached to a product. */
export interface ProductFeature {
  id: string;
  product: string;
  feature: string;
}

/** A feature that a customer has now. */
export interface Entitlement {
  id: string;
  customer: string;
  feature: string;
}

/** The number behind a payment method (the id), which says how the bank behaves. */
export interface CardNumber {
  id: string;
  number: string;
  /** The card was authenticated when it was set up for payments without the customer. */
  authenticated: boolean;
}

/** The account behind a payment method (the id), which says how the bank answers. */
export interface BankAccount {
  id: string;
  /** Without spaces. */
  iban: string;
}

/** The trial end for which `trial_will_end` was sent; the id is that of the subscription. */
export interface TrialNotice {
  id: string;
  trialEnd: number;
}

/** A change that waits for its invoice to be paid; the id is that of its subscription. */
export interface PendingUpdate {
  id: string;
  invoice: string;
  /** The properties of the subscription that the change sets. */
  after: Partial<Subscription>;
}

/** The answer kept for an idempotency key (the id), for 24 hours. */
export interface StoredAnswer {
  id: string;
  fingerprint: string;
  created: number;
  status: number;
  body: string;
}
