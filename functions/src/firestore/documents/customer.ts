import * as z from 'zod';

/** The contents of a checkout, by ids of Stripe. */
export const cartSchema = z.object({
  /** Id of the price of the plan. */
  priceId: z.string(),
  quantity: z.number(),
  /** The line items beside that of the plan: seats, usage and add-ons. Usage has no quantity. */
  furtherItems: z
    .array(z.object({ priceId: z.string(), quantity: z.number().exactOptional() }))
    .exactOptional(),
  /** Ids of subscriptions that no longer give a plan. They end once this checkout is paid. */
  replaces: z.array(z.string()).exactOptional(),
  /** The currency that was chosen, if any. */
  currency: z.string().exactOptional(),
  /** Id of a promotion code at Stripe. */
  promotionCode: z.string().exactOptional(),
  /** If a client began the checkout: the URLs to which Stripe's page leads back, `success` if it is complete. */
  returnUrls: z.object({ success: z.string(), cancel: z.string() }).exactOptional(),
});

export type Cart = z.output<typeof cartSchema>;

/**
 * The current checkout of a customer: a cart with its trial days. A request for the same cart and trial days continues
 * this checkout.
 */
const checkoutSchema = cartSchema.extend({
  /** Free days before the first payment. */
  trialDays: z.number(),
  /** The uid of the user, or of the responsible owner of the team, when the checkout began. */
  ownerId: z.string(),
  /** The uid of the user who began the checkout. */
  callerId: z.string(),
  /** Idempotency key for creating the session at Stripe. */
  key: z.string(),
  /** Id of the checkout session, once it exists. */
  sessionId: z.string().exactOptional(),
  /**
   * Ids of the sessions of replaced checkouts. `reserveCheckout` expires these sessions. The list is removed when this
   * checkout gets its own session.
   */
  toExpire: z.array(z.string()).exactOptional(),
});

export type StoredCheckout = z.output<typeof checkoutSchema>;

const fieldsSchema = z.object({
  type: z.enum(['user', 'team']),
  /** Set while the metadata of an adopted Stripe customer does not name the user or team. */
  metadataMissing: z.literal(true).exactOptional(),
  /** Address and name that Stripe last received. */
  email: z.string().nullable(),
  name: z.string().nullable(),
  /** Id of the Stripe customer, once it exists. */
  stripeId: z.string().exactOptional(),
  /** The page of the Stripe customer in Stripe's dashboard. */
  stripeLink: z.string().exactOptional(),
  /**
   * Idempotency key for creating the Stripe customer. The first request chooses the key, and all requests use it. In a
   * document of the extension the key is empty until `getOrCreateCustomer` chooses one.
   */
  creationKey: z.string(),
  /**
   * When `creationKey` was chosen. Stripe may forget the key after a day. From 23 hours on, the Stripe customer is
   * first searched by its metadata.
   */
  creationKeyAt: z.date(),
  checkout: checkoutSchema.exactOptional(),
  /** Id of the purchase whose page is open. */
  openPurchase: z.string().exactOptional(),
  /** Plans that were bought by one-time purchases. Maps the id of a purchase to the lookup key of its price. */
  ownedPlans: z.record(z.string(), z.string()).exactOptional(),
  /**
   * Slug of the best plan of the subscriptions, one-time purchases and granted plans; missing before the first sync.
   */
  plan: z.string().exactOptional(),
  /** Units of add-ons by their slugs, from the subscriptions. */
  addOns: z.record(z.string(), z.number()).exactOptional(),
  /** Lookup keys of the entitlements that Stripe gives. Missing if Stripe has never given any. */
  entitlements: z.array(z.string()).exactOptional(),
  /** Ids of duplicates that are being ended and refunded: subscriptions whose plan an older one covers. */
  duplicates: z.array(z.string()).exactOptional(),
  /** The lease of all changes of line items of subscriptions, such as a seat sync. */
  lineItemsLease: z.object({ key: z.string(), until: z.date() }).exactOptional(),
  contactLease: z.object({ key: z.string(), until: z.date() }).exactOptional(),
  /**
   * For a team: the uid of the first buyer. If the team has no billing address, this user gets the invoices for as long
   * as they may manage the billing. Null for the responsible owner. Missing if nobody had opened a checkout or the
   * portal when the document was created.
   */
  contactId: z.string().nullable().exactOptional(),
  /**
   * The last transfer of the user's app-store purchases: the uid of the new user, with the time (milliseconds) and the
   * id of the event.
   */
  storeTransfer: z.object({ to: z.string(), at: z.number(), eventId: z.string() }).exactOptional(),
  /** When a deletion of the user or team last began. For an hour from this time nothing can be bought. */
  closedAt: z.date().exactOptional(),
});

/** Fields of every document that we wrote. A document of the extension has none of them. */
const OWN_FIELDS = ['type', 'creationKey', 'creationKeyAt'];

/**
 * `customers/{customerId}` of a user (by uid) or a team (by its id): the fields of the Stripe extension for Firebase,
 * and further fields, such as those that make calls to Stripe idempotent. If required fields are missing:
 *
 * - A document without any of `OWN_FIELDS` was written by the extension for a user, as
 *   `{ email, stripeId, stripeLink }`. Reading it adds a default for each missing field.
 * - A document with any of `OWN_FIELDS` was written by us, and is damaged.
 *
 * In version 0.1 the field `creationKeyAt` was called `reservedAt`.
 */
export const customerSchema = z.preprocess((data) => {
  if (typeof data !== 'object' || data === null) return data;
  const document = 'reservedAt' in data ? { creationKeyAt: data.reservedAt, ...data } : data;
  if (OWN_FIELDS.some((field) => field in document)) return document;
  return { type: 'user', email: null, name: null, creationKey: '', creationKeyAt: new Date(0), ...document };
}, fieldsSchema);

export type CustomerDocument = z.output<typeof customerSchema>;

/** The id of the Stripe customer in a document of `customers` that may be damaged. The schema accepts any document. */
export const customerLinkSchema = z.object({ stripeId: z.string().optional().catch(undefined) });
