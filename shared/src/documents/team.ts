import * as z from 'zod/mini';

/** An owner's offer to make a member an owner. It waits for the member's answer. */
const transferOfferSchema = z.object({
  /** The uid of the owner who offers. */
  from: z.string(),
  /** The uid of the member who may accept. */
  to: z.string(),
  /** True if both are owners afterwards; false if `to` takes the place of `from`. */
  coOwner: z.boolean(),
  offeredAt: z.date(),
  expiresAt: z.date(),
});

export type TransferOffer = z.output<typeof transferOfferSchema>;

/** `teams/{teamId}` */
export const teamSchema = z.object({
  name: z.string(),
  /** Names the team in URLs; `teamSlugs/{slug}` keeps it unique. */
  slug: z.string(),
  /** The uid of the responsible owner. It is always a member with the role `owner`. */
  ownerId: z.string(),
  /** Seats that the team's plan and add-ons allow. Members and open invitations occupy one each. */
  seatLimit: z.number(),
  /** Slug of the plan. */
  plan: z.string(),
  /** The units of add-ons that the team has, by the slugs. They add to the limits and entitlements of the plan. */
  addOns: z.exactOptional(z.record(z.string(), z.number())),
  /** Entitlements of the members besides those of the plan and the add-ons. */
  entitlements: z.exactOptional(z.array(z.string())),
  /** Whether the team has a document in `customers`: since it first opened a checkout or the portal, or got a plan. */
  isCustomer: z.exactOptional(z.boolean()),
  /** Whether a subscription of the team is running. */
  hasRunningSubscription: z.exactOptional(z.boolean()),
  /** Whether a running subscription is billed per member, or may be after a planned change. `billing/` writes it. */
  billingDependsOnMembers: z.exactOptional(z.boolean()),
  /** Receives the invoices in place of the buyer or the responsible owner. Not verified. */
  billingEmail: z.exactOptional(z.string()),
  createdAt: z.date(),
  /** The transfer offer of an owner to a member, open or expired. */
  transfer: z.exactOptional(z.nullable(transferOfferSchema)),
  /** Written by the first step of a deletion, before anything is removed. */
  deletingSince: z.exactOptional(z.date()),
});

export type Team = z.output<typeof teamSchema>;
