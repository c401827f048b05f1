import * as z from 'zod';
import { checkoutSchema } from './checkout.ts';
import { withCurrentNames } from './former-names.ts';

const fieldsSchema = z.object({
  type: z.enum(['user', 'team']),
  /**
   * Set after an adoption, until we have written the subject into the metadata of the Stripe customer. An adopted
   * Stripe customer has paid elsewhere, such as by a payment link, and was then linked to the subject.
   */
  metadataMissing: z.literal(true).exactOptional(),
  /** Address and name that Stripe last received. After an adoption those of the payer, until the next contact sync. */
  email: z.string().nullable(),
  name: z.string().nullable(),
  /** Id of the Stripe customer, once it is created. */
  stripeId: z.string().exactOptional(),
  /** The page of the Stripe customer in Stripe's dashboard. */
  stripeLink: z.string().exactOptional(),
  /** Idempotency key for creating the Stripe customer. Empty if only the extension has written the document. */
  creationKey: z.string(),
  /**
   * When `creationKey` was chosen; `LONG_AGO` for a key that has replaced another one after an error of Stripe. If this
   * time is more than 23 hours ago, we first search Stripe for a customer that an earlier call has created.
   */
  creationKeyAt: z.date(),
  // An older version had other names of some fields.
  checkout: z.preprocess(withCurrentNames, checkoutSchema).exactOptional(),
  /** Id of the purchase whose page is open. */
  openPurchase: z.string().exactOptional(),
  /** Owned plans: the lookup key of the price, by the id of the one-time purchase. */
  ownedPlans: z.record(z.string(), z.string()).exactOptional(),
  /** Slug of the plan that the customer has. Missing before the first sync. */
  plan: z.string().exactOptional(),
  /** Units of add-ons by their slugs. */
  addOns: z.record(z.string(), z.number()).exactOptional(),
  /** Lookup keys of the features that Stripe gives. Missing if Stripe has never given any. */
  entitlements: z.array(z.string()).exactOptional(),
  /** Ids of duplicate subscriptions that are being ended and refunded. */
  markedDuplicates: z.array(z.string()).exactOptional(),
  /** Since when a team is billed for a wrong number of members, and when the reconciliation last found this. */
  // An earlier version did not store `quantity`.
  wrongSeats: z
    .object({ since: z.date(), seenAt: z.date(), quantity: z.number().exactOptional() })
    .exactOptional(),
  /** The leases of `billing/lease.store.ts`: for changes of line items, and of the contact. */
  lineItemsLease: z.object({ key: z.string(), until: z.date() }).exactOptional(),
  contactLease: z.object({ key: z.string(), until: z.date() }).exactOptional(),
  /**
   * The user who first opened a checkout or the portal for a team. Decides who gets the invoices of a team without a
   * billing address:
   *
   * - A uid: this user, also after a transfer, as long as the user may manage the billing.
   * - Null: the first buyer was the responsible owner. The present responsible owner gets them.
   * - Missing: nobody has opened a page yet, or the Stripe customer was adopted.
   */
  firstBuyerId: z.string().nullable().exactOptional(),
  /**
   * The last transfer of the user's app-store purchases, `to` another uid. `at` is in milliseconds. Without `store`,
   * the purchases of all stores were transferred.
   */
  storeTransfer: z
    .object({ to: z.string(), at: z.number(), eventId: z.string(), store: z.string().exactOptional() })
    .exactOptional(),
  /**
   * When a deletion of the user or team began. In the hour after it nothing can be bought. If the deletion never
   * completes, the customer can buy again after the hour.
   */
  closedAt: z.date().exactOptional(),
});

/**
 * Each document that we wrote has these fields, and a document of the extension has none of them. A document with some
 * of them is ours and damaged.
 */
const OWN_FIELDS = ['type', 'creationKey', 'creationKeyAt'];

/** The default of `creationKey`. `getOrCreateOurCustomer` replaces it, so no Stripe customer is created with it. */
const NO_KEY = '';

/** True for a document that only the Stripe extension has written. */
export function isWrittenByExtension({ creationKey }: Pick<CustomerDocument, 'creationKey'>): boolean {
  return creationKey === NO_KEY;
}

/**
 * `customers/{customerId}` of a user (by uid) or a team (by its id). The Stripe extension writes
 * `{ email, stripeId, stripeLink }` for a user. Reading such a document adds defaults.
 */
export const customerSchema = z.preprocess((data) => {
  const document = withCurrentNames(data);
  if (typeof document !== 'object' || document === null) return document;
  if (OWN_FIELDS.some((field) => field in document)) return document;
  const defaults = {
    type: 'user',
    email: null,
    name: null,
    creationKey: NO_KEY,
    creationKeyAt: LONG_AGO,
  };
  return { ...defaults, ...document };
}, fieldsSchema);

export type CustomerDocument = z.output<typeof customerSchema>;

/** Reads the id of the Stripe customer, even if the document is damaged. */
export const customerLinkSchema = z.object({ stripeId: z.string().optional().catch(undefined) });

/** A `creationKeyAt` so long ago that `ensureStripeCustomer` searches Stripe before it uses a new key. */
export const LONG_AGO = new Date(0);
