import type { Event } from '../events.ts';
import type * as hidden from '../hidden-records.ts';
import type * as objects from '../objects.ts';
import { Collection } from './collection.ts';
import type { Row, WriteListener } from './collection.ts';
import { Journal } from './journal.ts';
import type { Change } from './journal.ts';
import { Written } from './written.ts';

/** Everything that the local Stripe remembers, one collection for each kind of object. */
export class Store {
  readonly #journal = new Journal();
  /** Subscriptions and invoices that were written, and other rows with a time at which something happens by itself. */
  readonly written = new Written();
  /** Seconds since 1970 until which nothing changes by itself, provided that `written` is empty. */
  nextDue = -Infinity;
  readonly customers = this.#collection<objects.Customer>();
  readonly deletedCustomers = this.#collection<objects.DeletedCustomer>();
  readonly products = this.#collection<objects.Product>();
  readonly prices = this.#collection<objects.Price>();
  readonly checkoutSessions = this.#collection<objects.CheckoutSession>(() => {
    this.written.note();
  });
  readonly checkoutDetails = this.#collection<hidden.CheckoutDetails>();
  readonly subscriptions = this.#collection<objects.Subscription>((id) => {
    this.written.note(id);
  });
  readonly invoices = this.#collection<objects.Invoice>((id) => {
    this.written.note(id);
  });
  readonly previewLines = this.#collection<hidden.PreviewLines>();
  readonly invoiceItems = this.#collection<objects.InvoiceItem>();
  readonly paymentMethods = this.#collection<objects.PaymentMethod>();
  readonly cardNumbers = this.#collection<hidden.CardNumber>();
  readonly bankAccounts = this.#collection<hidden.BankAccount>();
  readonly paymentIntents = this.#collection<objects.PaymentIntent>();
  readonly charges = this.#collection<objects.Charge>();
  readonly invoicePayments = this.#collection<objects.InvoicePayment>();
  readonly refunds = this.#collection<objects.Refund>();
  readonly disputes = this.#collection<objects.Dispute>();
  readonly creditNotes = this.#collection<objects.CreditNote>();
  readonly paymentLinks = this.#collection<objects.PaymentLink>();
  readonly linkItems = this.#collection<hidden.LinkItems>();
  readonly currencyAmounts = this.#collection<hidden.CurrencyAmounts>();
  readonly features = this.#collection<objects.Feature>();
  readonly productFeatures = this.#collection<hidden.ProductFeature>();
  readonly entitlements = this.#collection<hidden.Entitlement>();
  readonly meters = this.#collection<objects.Meter>();
  readonly usageEvents = this.#collection<hidden.UsageEvent>();
  readonly coupons = this.#collection<objects.Coupon>(() => {
    this.written.note();
  });
  readonly deletedCoupons = this.#collection<objects.Coupon>();
  readonly promotionCodes = this.#collection<objects.PromotionCode>(() => {
    this.written.note();
  });
  readonly discounts = this.#collection<objects.Discount>(() => {
    this.written.note();
  });
  readonly pendingUpdates = this.#collection<hidden.PendingUpdate>();
  readonly portalConfigurations = this.#collection<objects.PortalConfiguration>();
  readonly portalProducts = this.#collection<hidden.PortalProducts>();
  readonly portalSessions = this.#collection<objects.PortalSession>();
  readonly subscriptionSchedules = this.#collection<objects.SubscriptionSchedule>(() => {
    this.written.note();
  });
  readonly taxIds = this.#collection<objects.TaxId>();
  readonly testClocks = this.#collection<objects.TestClock>();
  readonly trialNotices = this.#collection<hidden.TrialNotice>();
  readonly webhookEndpoints = this.#collection<objects.WebhookEndpoint>();
  readonly webhookSecrets = this.#collection<hidden.WebhookSecret>();
  readonly events = this.#collection<Event>();
  readonly answers = this.#collection<hidden.StoredAnswer>();

  /** Begins a change that can be undone. */
  begin(): Change {
    return this.#journal.begin();
  }

  /** Forgets everything. */
  clear(): void {
    for (const collection of this.collections().values()) collection.clear();
  }

  /** The collections by name. */
  collections(): Map<string, Collection<Row>> {
    const fields: [string, unknown][] = Object.entries(this);
    return new Map(
      fields.flatMap(([name, value]) =>
        value instanceof Collection ? [[name, value as Collection<Row>]] : [],
      ),
    );
  }

  #collection<T extends Row>(onWrite?: WriteListener): Collection<T> {
    return new Collection<T>(this.#journal, onWrite);
  }
}
