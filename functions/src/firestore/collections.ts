import type * as z from 'zod';
import { auditEntrySchema } from './documents/audit-entry.ts';
import { priceSchema, productSchema } from './documents/catalogue.ts';
import { creditEntrySchema, creditsSchema } from './documents/credits.ts';
import { customerLinkSchema, customerSchema } from './documents/customer.ts';
import { hashKeySchema } from './documents/hash-key.ts';
import { invitationSchema } from './documents/invitation.ts';
import { mailSchema, recipientSchema } from './documents/mail.ts';
import { memberSchema } from './documents/member.ts';
import { planChangeSchema } from './documents/plan-change.ts';
import { purchaseSchema } from './documents/purchase.ts';
import { deviceSchema, pushSchema } from './documents/push.ts';
import { rateLimitSchema } from './documents/rate-limit.ts';
import { stripeEventSchema } from './documents/stripe-event.ts';
import {
  checkoutSessionSchema,
  extensionInvoiceSchema,
  paymentSchema,
} from './documents/stripe-extension.ts';
import { subscriptionSchema } from './documents/subscription.ts';
import { sweepSchema } from './documents/sweep.ts';
import { teamSchema, teamSlugSchema } from './documents/team.ts';
import { trialSchema } from './documents/trial.ts';
import { uploadSchema, storageUsageSchema } from './documents/upload.ts';
import { usageBatchSchema, usageReportSchema } from './documents/usage.ts';
import { profileSchema, sessionSchema } from './documents/user.ts';

/** Collections at the root of the database, by their names in the code. */
export const ROOT_COLLECTIONS = {
  auditLog: { path: 'auditLog', schema: auditEntrySchema },
  credits: { path: 'credits', schema: creditsSchema },
  customers: { path: 'customers', schema: customerSchema },
  // The documents of `customers`, read by a schema that has only `stripeId`. Damage in other fields does not matter.
  customerLinks: { path: 'customers', schema: customerLinkSchema },
  devices: { path: 'devices', schema: deviceSchema },
  hashKeys: { path: 'keys', schema: hashKeySchema },
  invitations: { path: 'invitations', schema: invitationSchema },
  mail: { path: 'mail', schema: mailSchema },
  mailRecipients: { path: 'mailRecipients', schema: recipientSchema },
  planChanges: { path: 'planChanges', schema: planChangeSchema },
  products: { path: 'products', schema: productSchema },
  pushes: { path: 'pushes', schema: pushSchema },
  rateLimits: { path: 'rateLimits', schema: rateLimitSchema },
  stripeEvents: { path: 'stripeEvents', schema: stripeEventSchema },
  sweeps: { path: 'sweeps', schema: sweepSchema },
  teams: { path: 'teams', schema: teamSchema },
  teamSlugs: { path: 'teamSlugs', schema: teamSlugSchema },
  trials: { path: 'trials', schema: trialSchema },
  uploads: { path: 'uploads', schema: uploadSchema },
  storageUsage: { path: 'usage', schema: storageUsageSchema },
  usageBatches: { path: 'usageBatches', schema: usageBatchSchema },
  usageReports: { path: 'usageReports', schema: usageReportSchema },
  users: { path: 'users', schema: profileSchema },
} as const;

/**
 * Collections below a document, such as `customers/{id}/payments`.
 *
 * - `group` is the name of the collection: `payments`.
 * - `parent` is the path of the collection above: `customers`.
 * - `{}` in `parent` stands for the id of a document. The ids of all documents above are given in one text:
 *   `db.extensionInvoices('uid/sub_1')`.
 */
export const NESTED_COLLECTIONS = {
  checkoutSessions: { parent: 'customers', group: 'checkout_sessions', schema: checkoutSessionSchema },
  extensionInvoices: {
    parent: 'customers/{}/subscriptions',
    group: 'invoices',
    schema: extensionInvoiceSchema,
  },
  creditEntries: { parent: 'credits', group: 'entries', schema: creditEntrySchema },
  members: { parent: 'teams', group: 'members', schema: memberSchema },
  payments: { parent: 'customers', group: 'payments', schema: paymentSchema },
  prices: { parent: 'products', group: 'prices', schema: priceSchema },
  purchases: { parent: 'customers', group: 'purchases', schema: purchaseSchema },
  sessions: { parent: 'users', group: 'sessions', schema: sessionSchema },
  subscriptions: { parent: 'customers', group: 'subscriptions', schema: subscriptionSchema },
} as const;

export type RootDocuments = {
  [Name in keyof typeof ROOT_COLLECTIONS]: z.output<(typeof ROOT_COLLECTIONS)[Name]['schema']>;
};

export type NestedDocuments = {
  [Name in keyof typeof NESTED_COLLECTIONS]: z.output<(typeof NESTED_COLLECTIONS)[Name]['schema']>;
};
