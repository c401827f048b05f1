import type { Setting } from './kinds.ts';
import {
  allowedOrigins,
  appPath,
  choice,
  flag,
  hostingSites,
  integer,
  integerList,
  origins,
  rate,
  returnUrls,
  secret,
  text,
} from './kinds.ts';
import { mail } from './mail-settings.ts';
import { mobile } from './mobile-settings.ts';
import { imageSizesSchema, originSchema, regionSchema, secretSchema } from './schemas.ts';
import { tracing } from './tracing-settings.ts';

/** Cloud Functions accepts requests of at most 32 MiB. One MiB is left for the multipart framing. */
const MAX_UPLOAD_BYTES = 31 * 1024 * 1024;

/** Where the functions run unless REGION says otherwise. */
export const DEFAULT_REGION = 'us-central1';
/** The smallest quota of Cloud Run that is known: 20 vCPU for a project in a region. */
export const DEFAULT_API_MAX_INSTANCES = 20;
export const DEFAULT_ACTION_PATH = '/auth/action';

const appAndOrigins = {
  region: text('REGION', {
    default: DEFAULT_REGION,
    values: 'a region of Cloud Functions',
    schema: regionSchema,
    description:
      'Region of all functions. Choose it once, near Firestore and in the region of the bucket. The default is for the local stack; a deployment must set REGION itself',
  }),
  apiMaxInstances: integer('API_MAX_INSTANCES', {
    default: DEFAULT_API_MAX_INSTANCES,
    min: 1,
    max: 1_000,
    description:
      'Maximum number of instances of the API, which limits the bill. Each needs one vCPU and 1 GiB of the quota of Cloud Run in the region',
  }),
  appUrl: text('APP_URL', {
    values: 'an https origin, or http on localhost',
    schema: originSchema,
    description: 'Public origin of the app, such as https://app.example.com',
  }),
  ownOrigins: origins('OWN_ORIGINS', {
    default: 'none',
    description: 'Further origins that serve the app, such as https://www.example.com',
  }),
  hostingSites: hostingSites('HOSTING_SITES', {
    default: 'project',
    description:
      'Hosting sites that serve the app. The word project means the site with the name of the project',
  }),
  previewChannels: flag('PREVIEW_CHANNELS', {
    default: false,
    description: 'Accept sign-ins on preview channels of the Hosting sites',
  }),
  allowedOrigins: allowedOrigins('ALLOWED_ORIGINS', {
    default: 'none',
    description: 'Origins of other web apps that may call the API with a bearer token',
  }),
  signInPath: appPath('SIGN_IN_PATH', {
    default: '/auth/sign-in',
    description: 'Sign-in page. Signed-out visitors are redirected to it, with the wanted URL as ?callback=',
  }),
  actionPath: appPath('ACTION_PATH', {
    default: DEFAULT_ACTION_PATH,
    description: 'Page for the links in mail that verify an address or choose a new password',
  }),
  dashboardPath: appPath('DASHBOARD_PATH', {
    default: '/dashboard',
    description: 'Page after a visitor has accepted or rejected an invitation',
  }),
  appCheckRequired: flag('APP_CHECK_REQUIRED', {
    default: false,
    description: 'Refuse requests without a Firebase App Check token',
  }),
};

const sessions = {
  sessionDays: integer('SESSION_DAYS', {
    default: 5,
    min: 1,
    max: 14,
    description: 'Days until a session cookie expires',
  }),
  userCacheSeconds: integer('USER_CACHE_SECONDS', {
    default: 30,
    min: 0,
    max: 30,
    description:
      'Seconds for which requests that only read may use a cached state of the user. With 0 every request asks Firebase Auth',
  }),
  accountSweepLimit: integer('ACCOUNT_SWEEP_LIMIT', {
    default: 100,
    min: 0,
    max: 10_000_000,
    description:
      'Most users whose data a daily pass removes if their account is gone without an event. If there are more, their data stays and an error is logged',
  }),
};

const teamsAndInvitations = {
  teamLimit: integer('TEAM_LIMIT', {
    default: 20,
    min: 1,
    max: 10_000,
    description:
      'Teams of a responsible owner at which they can neither create a team nor accept the transfer of one',
  }),
  anonymousTeams: flag('ANONYMOUS_TEAMS', {
    default: false,
    description: 'Allow anonymous accounts to create teams',
  }),
  invitationDays: integer('INVITATION_DAYS', {
    default: 7,
    min: 1,
    max: 90,
    description: 'Days until an invitation expires',
  }),
  invitationPauseMinutes: integer('INVITATION_PAUSE_MINUTES', {
    default: 60,
    min: 0,
    max: 1_440,
    description: 'Minutes between two invitation mails from one team to the same address',
  }),
  auditDays: integer('AUDIT_DAYS', {
    default: 365,
    min: 1,
    max: 3_650,
    description: "Days until an entry of a team's audit log is deleted",
  }),
};

const uploads = {
  uploadRequiresAuth: flag('UPLOAD_REQUIRES_AUTH', {
    default: true,
    description: 'Accept uploads from signed-in users only',
  }),
  uploadVerifiedOnly: flag('UPLOAD_VERIFIED_ONLY', {
    default: true,
    description: 'Accept uploads only from accounts with a verified e-mail address or phone number',
  }),
  uploadMaxBytes: integer('UPLOAD_MAX_BYTES', {
    default: 10_485_760,
    min: 1,
    max: MAX_UPLOAD_BYTES,
    description: 'Size in bytes of the largest file that the API accepts',
  }),
  uploadMedia: flag('UPLOAD_MEDIA', {
    default: false,
    description: 'Accept audio and video files (mp4, webm, mov, mp3, wav, ogg and m4a)',
  }),
  imageSizes: integerList('IMAGE_SIZES', {
    default: 'off',
    values: 'off, or up to five widths from 16 to 4096, separated by commas',
    schema: imageSizesSchema,
    description: 'Widths in pixels of the variants of each picture, such as 200,800',
  }),
  anonymousUploadHours: integer('ANONYMOUS_UPLOAD_HOURS', {
    default: 24,
    min: 1,
    max: 8_760,
    description: 'Hours until the upload of a signed-out visitor is deleted',
  }),
};

const billing = {
  stripeSecretKey: secret('STRIPE_SECRET_KEY', {
    values: 'text',
    schema: secretSchema,
    description: 'Secret key of the Stripe API, of an account or sandbox that no other project uses',
  }),
  stripeWebhookSecret: secret('STRIPE_WEBHOOK_SECRET', {
    values: 'text',
    schema: secretSchema,
    description: 'Signing secret of the Stripe webhook endpoint',
  }),
  stripeApiUrl: text('STRIPE_API_URL', {
    default: 'https://api.stripe.com',
    values: 'an https origin, or http on localhost',
    schema: originSchema,
    description: 'Origin of the Stripe API. Differs from the default only in local development',
  }),
  trialDays: integer('TRIAL_DAYS', {
    default: 0,
    min: 0,
    max: 730,
    description: 'Free days before the first payment. With 0 there is no trial',
  }),
  trialWithoutCard: choice('TRIAL_WITHOUT_CARD', {
    default: 'off',
    options: ['off', 'cancel', 'pause'],
    description:
      'Start trials without a payment method, and cancel or pause a subscription without a payment method at the end of its trial. With off, trials need a payment method',
  }),
  promotionCodes: flag('PROMOTION_CODES', {
    default: false,
    description: 'Allow customers to enter promotion codes',
  }),
  automaticTax: flag('AUTOMATIC_TAX', {
    default: false,
    description: 'Calculate taxes with Stripe Tax',
  }),
  taxIdCollection: flag('TAX_ID_COLLECTION', {
    default: false,
    description: 'Let businesses enter their tax ID in every checkout. AUTOMATIC_TAX does so as well',
  }),
  collectAddress: flag('COLLECT_ADDRESS', {
    default: false,
    description: 'Ask for a billing address in every checkout',
  }),
  pastDueGraceDays: integer('PAST_DUE_GRACE_DAYS', {
    default: 7,
    min: 0,
    max: 90,
    description: 'Days a customer keeps their plan after a failed payment',
  }),
  seatProration: choice('SEAT_PRORATION', {
    default: 'create_prorations',
    options: ['create_prorations', 'always_invoice', 'none'],
    description: 'Proration behavior of Stripe when the number of seats changes within a billing period',
  }),
  seatWindowSeconds: integer('SEAT_WINDOW_SECONDS', {
    default: 60,
    min: 0,
    max: 86_400,
    description:
      "Seconds over which changes of a team's members are collected before one update is sent to Stripe",
  }),
  seatInvoiceWindowSeconds: integer('SEAT_INVOICE_WINDOW_SECONDS', {
    default: 3_600,
    min: 0,
    max: 86_400,
    description:
      'Seconds over which changes of members are collected with SEAT_PRORATION=always_invoice, where each change makes an invoice',
  }),
  disputeEndsSubscription: flag('DISPUTE_ENDS_SUBSCRIPTION', {
    default: true,
    description: 'End a subscription immediately when a dispute about its payment is lost',
  }),
  refundEndsSubscription: flag('REFUND_ENDS_SUBSCRIPTION', {
    default: false,
    description: 'End a subscription immediately when its payment is refunded in full',
  }),
  checkoutSuccessPath: appPath('CHECKOUT_SUCCESS_PATH', {
    default: '/billing/success',
    description: 'Page after a completed checkout',
  }),
  checkoutCancelPath: appPath('CHECKOUT_CANCEL_PATH', {
    default: '/billing?checkout=cancelled',
    description: 'Page after a cancelled checkout',
  }),
  returnUrls: returnUrls('RETURN_URLS', {
    default: 'none',
    description:
      'Where clients may return to after checkout and portal, besides own origins, such as https://shop.example.com,myapp://paid',
  }),
  portalReturnPath: appPath('PORTAL_RETURN_PATH', {
    default: '/billing',
    description: 'Page after a visit to the Stripe customer portal',
  }),
};

const limits = {
  sessionsPerMinute: rate('SESSIONS_PER_MINUTE', {
    default: 30,
    description: 'Sign-ins in a minute, per IP address and per user',
  }),
  writesPerMinute: rate('WRITES_PER_MINUTE', {
    default: 120,
    description: 'Requests that write in a minute, per user and instance',
  }),
  readsPerMinute: rate('READS_PER_MINUTE', {
    default: 600,
    description: 'Requests that only read in a minute, per user and instance',
  }),
  invitationsPerHour: rate('INVITATIONS_PER_HOUR', {
    default: 100,
    description: 'Addresses that one user invites in an hour',
  }),
  invitationsPerRecipientPerDay: rate('INVITATIONS_PER_RECIPIENT_PER_DAY', {
    default: 10,
    description: 'Invitation mails to one mailbox in a day, from all teams and senders together',
  }),
  accountMailsPerHour: rate('ACCOUNT_MAILS_PER_HOUR', {
    default: 5,
    description:
      'Mails to one address in an hour, for verifying it or choosing a password. Other spellings of its mailbox share one limit',
  }),
  checkoutsPerHour: rate('CHECKOUTS_PER_HOUR', {
    default: 100,
    description: 'Visits of one user to checkout and customer portal in an hour',
  }),
  usageReportsPerMinute: rate('USAGE_REPORTS_PER_MINUTE', {
    default: 60,
    description: 'Reports of usage by the clients of one user in a minute',
  }),
  uploadsPerHour: rate('UPLOADS_PER_HOUR', {
    default: 200,
    description: 'Uploads of one user in an hour. A tenth of it for revoking URLs',
  }),
};

/** Every setting of a deployment by its key in `Config`. */
export const SETTINGS = {
  ...appAndOrigins,
  ...sessions,
  ...teamsAndInvitations,
  ...uploads,
  ...billing,
  ...mail,
  ...mobile,
  ...limits,
  ...tracing,
};

/** The settings by the headings of docs/configuration.md. */
export const SETTING_GROUPS: Readonly<Record<string, Readonly<Record<string, Setting>>>> = {
  'App and origins': appAndOrigins,
  Sessions: sessions,
  'Teams and invitations': teamsAndInvitations,
  Uploads: uploads,
  Billing: billing,
  Mail: mail,
  'Apps on phones': mobile,
  Limits: limits,
  Tracing: tracing,
};
