import * as z from 'zod';
import { auditEntryView } from '../audit/audit-entry.view.ts';
import { instant } from '../common/instant.ts';
import { DELIVERY_STATES } from '../firestore/documents/mail.ts';
import { roleSchema } from '../teams/team.schema.ts';

/** A stored document. docs/data-model.md describes the fields. */
const fields = z.record(z.string(), z.unknown());
const some = z.array(fields).describe('At most 20.');

const foundUser = z
  .strictObject({
    uid: z.string(),
    email: z.string().nullable(),
    displayName: z.string().nullable(),
    disabled: z.boolean(),
    isOperator: z.boolean().describe('True for a user with the claim `admin`.'),
  })
  .meta({ id: 'AdminUserSummary' });

export type FoundUser = z.output<typeof foundUser>;

const foundTeam = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    ownerId: z.string(),
    plan: z.string(),
  })
  .meta({ id: 'AdminTeamSummary' });

export type FoundTeam = z.output<typeof foundTeam>;

export const foundUsersAndTeams = z
  .strictObject({ users: z.array(foundUser), teams: z.array(foundTeam) })
  .meta({ id: 'AdminSearch' });

export type FoundUsersAndTeams = z.output<typeof foundUsersAndTeams>;

const comp = z
  .strictObject({ plan: z.string(), until: instant })
  .nullable()
  .describe('The comped plan; null if there is none.');

const mailRecipient = fields
  .nullable()
  .describe(
    'The recipient record of the mailbox without its token; null if nobody has mailed it. `optedOutAt` is set while its owner wants no such mail.',
  );

const auditEntries = z.array(auditEntryView).describe('The latest entries, at most 20.');

/** Everything about a user that helps support. The export has all documents completely. */
export const adminUserView = z
  .strictObject({
    user: foundUser,
    account: fields.describe('The record of Firebase Auth.'),
    profile: fields.nullable(),
    plan: z.string().describe('The plan that the user has now.'),
    comp,
    teams: z.array(z.strictObject({ id: z.string(), name: z.string(), role: roleSchema })),
    sessions: some,
    invitations: some.describe('Invitations to the address of the user, at most 20.'),
    customer: fields.nullable(),
    subscriptions: some,
    purchases: some.describe('One-time purchases, at most 20.'),
    credits: fields.nullable(),
    trials: z
      .array(fields)
      .describe('The trial of the account and that of its address: `of` is `account` or `address`.'),
    uploads: some,
    usage: fields.nullable(),
    devices: some.describe('Devices that get push messages, without their tokens; at most 20.'),
    mailRecipient,
    auditEntries,
  })
  .meta({ id: 'AdminUser' });

export type AdminUserView = z.output<typeof adminUserView>;

/** Everything about a team that helps support. */
export const adminTeamView = z
  .strictObject({
    team: foundTeam,
    document: fields,
    comp,
    members: z.array(fields).describe('At most 20.'),
    invitations: some,
    customer: fields.nullable(),
    subscriptions: some,
    purchases: some,
    credits: fields.nullable(),
    uploads: some,
    usage: fields.nullable(),
    auditEntries,
  })
  .meta({ id: 'AdminTeam' });

export type AdminTeamView = z.output<typeof adminTeamView>;

/** A custom token for the operator's own account, marked with the user who is impersonated. */
export const impersonationView = z
  .strictObject({
    token: z.string().describe('Sign in with it by `signInWithCustomToken`, then start a session.'),
    endsAt: instant,
  })
  .meta({ id: 'Impersonation' });

export const adminInvitationListView = z
  .strictObject({ invitations: some.describe('Without their secrets, at most 20.') })
  .meta({ id: 'AdminInvitationList' });

export const adminInvitationView = z
  .strictObject({ id: z.string(), invitation: fields })
  .meta({ id: 'AdminInvitation' });

const mailState = z.enum([...DELIVERY_STATES, 'DAMAGED']).meta({ id: 'MailState' });

const adminMailView = z
  .strictObject({
    id: z.string(),
    subject: z.string().nullable(),
    state: mailState
      .nullable()
      .describe('The state of the delivery; null for mail of another program that was not sent yet.'),
    attempts: z.int(),
    error: z.string().nullable().describe('The reason of the last failure.'),
    at: instant.nullable().describe('When the delivery ended, or else when it began.'),
  })
  .meta({ id: 'AdminMail' });

export type AdminMailView = z.output<typeof adminMailView>;

const mailList = z.array(adminMailView);

export const adminMailListView = z.strictObject({ mail: mailList }).meta({ id: 'AdminMailList' });

export const adminMailOfAddressView = z
  .strictObject({ mail: mailList, mailRecipient })
  .meta({ id: 'AdminMailOfAddress' });

export type AdminMailOfAddressView = z.output<typeof adminMailOfAddressView>;

export const adminUploadView = z.strictObject({ id: z.string(), upload: fields }).meta({ id: 'AdminUpload' });

export const adminSubscriptionView = z
  .strictObject({
    id: z.string(),
    customerId: z
      .string()
      .nullable()
      .describe('A uid or the id of a team; null if it belongs to nobody here.'),
    status: z.string().describe("Stripe's status now."),
    copy: fields.nullable().describe('Our copy.'),
  })
  .meta({ id: 'AdminSubscription' });

export type AdminSubscriptionView = z.output<typeof adminSubscriptionView>;
