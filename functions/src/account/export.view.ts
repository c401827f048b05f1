import * as z from 'zod';
import { instant } from '../common/instant.ts';

const fields = z.record(z.string(), z.unknown());
const one = fields.nullable();
const many = z.array(fields);

/** All data about a user. docs/data-model.md describes the fields; secrets are left out. */
export const userExportView = z
  .strictObject({
    exportedAt: instant,
    account: fields.describe('The record of Firebase Auth.'),
    profile: one,
    sessions: many,
    devices: many.describe('Devices with push messages, without their tokens.'),
    memberships: many,
    invitationsReceived: many.describe('Empty if the address is not verified.'),
    invitationsSent: many,
    uploads: many.describe('With a link to each file.'),
    uploadsToTeams: many,
    storageUsage: one,
    customer: one,
    subscriptions: many,
    payments: many,
    checkoutSessions: many,
    purchases: many.describe('One-time purchases of a plan or of credits.'),
    credits: one,
    creditEntries: many,
    usageReports: many.describe('Units that the user has used of meters.'),
    usageBatches: many.describe('The same units in batches, as Stripe receives them.'),
    trial: one,
    mail: many.describe(
      'Subjects, states and times, without the texts. Empty if the address is not verified.',
    ),
    auditEntriesBy: many,
    auditEntriesAbout: many,
    incomplete: z.array(z.string()).describe('Names of parts that were cut off or could not be read.'),
  })
  .meta({ id: 'UserExport' });
