import { defineInt, defineSecret, defineString, defineBoolean } from 'firebase-functions/params';
import * as z from 'zod';
import plansJson from '../../plans.json' with { type: 'json' };
import { planListSchema } from './plans.ts';
import { EXTENSION, readSmtpUrl } from './smtp-url.ts';

/**
 * Everything that differs between deployments, as the params and secrets that `firebase deploy` asks for.
 * The values are read and validated once, by `loadConfig`; nothing else reads the environment.
 *
 * https://firebase.google.com/docs/functions/config-env
 */
defineString('APP_URL', { description: 'Public origin of the app, such as https://app.example.com' });
defineString('OWN_ORIGINS', { default: 'none', description: 'Further origins where the app is served' });
defineString('HOSTING_SITES', {
  default: 'project',
  description: 'Ids of the Hosting sites that serve the app; project is the site named like the project',
});
defineBoolean('PREVIEW_CHANNELS', {
  default: false,
  description: 'Accept sign-ins on preview channels of the Hosting sites',
});
defineString('ALLOWED_ORIGINS', {
  default: 'none',
  description: 'Origins of other web apps that may call the API with a bearer token',
});
defineString('SIGN_IN_PATH', { default: '/auth/sign-in' });
defineString('DASHBOARD_PATH', { default: '/dashboard' });
defineString('CHECKOUT_SUCCESS_PATH', { default: '/billing/success' });
defineString('CHECKOUT_CANCEL_PATH', { default: '/billing?checkout=cancelled' });
defineString('PORTAL_RETURN_PATH', { default: '/billing' });
defineInt('SESSION_DAYS', { default: 5, description: 'Life of a session cookie in days, 1 to 14' });
defineInt('SESSIONS_PER_MINUTE', {
  default: 30,
  description: 'Sign-ins from one address, and of one user, in a minute',
});
defineInt('WRITES_PER_MINUTE', {
  default: 120,
  description: 'Requests that write by one user in a minute, in each instance',
});
defineInt('INVITATION_DAYS', { default: 7, description: 'Days until an invitation expires' });
defineInt('INVITATIONS_PER_HOUR', { default: 100, description: 'Invitations by one user in an hour' });
defineInt('INVITATIONS_PER_RECIPIENT_PER_DAY', {
  default: 10,
  description: 'Invitation mails to one mailbox in a day, from all senders together',
});
defineInt('INVITATION_PAUSE_MINUTES', {
  default: 60,
  description: 'Minutes between two mails that invite an address to one team',
});
defineInt('CHECKOUTS_PER_HOUR', {
  default: 100,
  description: 'Visits to checkout and portal by one user in an hour',
});
defineBoolean('APP_CHECK_REQUIRED', { default: false, description: 'Refuse what App Check does not attest' });
defineInt('AUDIT_DAYS', { default: 365, description: 'Days that entries of the audit log are kept' });
defineInt('TEAM_LIMIT', { default: 20, description: 'Most teams that one user owns' });
defineBoolean('ANONYMOUS_TEAMS', { default: false, description: 'Let anonymous accounts create teams' });
defineBoolean('UPLOAD_REQUIRES_AUTH', { default: true });
defineBoolean('UPLOAD_VERIFIED_ONLY', {
  default: true,
  description: 'Refuse uploads of accounts without a verified e-mail address or phone number',
});
defineInt('UPLOAD_MAX_BYTES', { default: 10_485_760, description: 'Largest accepted file in bytes' });
defineInt('UPLOADS_PER_HOUR', { default: 200, description: 'Uploads by one user in an hour' });
defineBoolean('UPLOAD_MEDIA', {
  default: false,
  description: 'Accept mp4, webm, mov, mp3, wav, ogg and m4a',
});
defineInt('ANONYMOUS_UPLOAD_HOURS', {
  default: 24,
  description: 'Life of what nobody signed in has uploaded',
});
defineString('IMAGE_SIZES', {
  default: 'off',
  description: 'Widths in pixels of the smaller copies of pictures, such as 200,800, or off',
});
defineInt('TRIAL_DAYS', { default: 0, description: 'Free days before the first payment, 0 for none' });
defineBoolean('PROMOTION_CODES', { default: false, description: 'Let customers enter promotion codes' });
defineBoolean('AUTOMATIC_TAX', { default: false, description: 'Let Stripe Tax calculate taxes' });
defineBoolean('COLLECT_ADDRESS', {
  default: false,
  description: 'Ask for a billing address in every checkout',
});
defineInt('PAST_DUE_GRACE_DAYS', { default: 0, description: 'Days that a failed payment leaves the plan' });
defineString('SEAT_PRORATION', { default: 'create_prorations' });
defineString('STRIPE_API_URL', { default: 'https://api.stripe.com' });
defineString('MAIL_FROM', { description: 'Sender of mail, such as App <no-reply@app.example.com>' });

/** Bound to the function in index.ts, so that Cloud Functions hands their values over. */
export const secrets = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'MAIL_SMTP_URL'].map((name) =>
  defineSecret(name),
);

/** A request to Cloud Functions holds 32 MiB; the multipart framing needs a little of it. */
const MAX_UPLOAD_BYTES = 31 * 1024 * 1024;

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Secrets and sessions travel there, so anything but this machine must be reached by https. */
const origin = z
  .url()
  .transform((value) => new URL(value))
  .refine((url) => url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL_HOSTS.has(url.hostname)), {
    message: 'must be https, or http on localhost',
  })
  .refine((url) => url.href === `${url.origin}/`, {
    message: 'must be an origin without path, query, fragment or user',
  })
  .transform((url) => url.origin);

/** Compared with the header Origin as it is, so written exactly like it. */
const exactOrigin = z.string().refine((text) => origin.safeParse(text).data === text && !text.includes('*'), {
  message: 'must be an origin such as https://app.example.com, without a slash at its end and without *',
});

const origins = z.array(exactOrigin, 'must be none or origins separated by commas').max(50);

/** The label of a domain name. */
const hostingSite = z
  .string()
  .max(63)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'must be the id of a Hosting site');

/** A path on our own origin: `//host` and `/\host` would leave it, and a query cannot be added after a fragment. */
const appPath = z
  .string()
  .regex(/^\/(?!\/)[^\s\\#]*$/, 'must be a path that starts with a single / and has no fragment');

const secret = z.string().trim().min(1, 'must not be empty');

const smtpUrl = secret.refine((value) => value === EXTENSION || readSmtpUrl(value) !== undefined, {
  message: 'must be smtps://user:password@host, smtp://… or the word extension',
});

/** An address, alone or after a name in which no character could begin another address. */
const sender = z
  .string()
  .regex(
    /^(?:[^<>@,;:"\\\p{Cc}]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
    'must be Name <address> or an address',
  );

/** Requests in a window of time. */
const rate = z.int().min(1).max(1_000_000);

const configSchema = z.strictObject({
  appUrl: origin,
  /** Further origins where the app is served. */
  ownOrigins: origins,
  /** Each serves the app at two origins, see http/origin.ts. */
  hostingSites: z
    .array(hostingSite, 'must be project, none or ids of Hosting sites separated by commas')
    .max(50),
  previewChannels: z.boolean(),
  /** Origins of other web apps, see http/cors.ts. */
  allowedOrigins: origins,
  signInPath: appPath,
  dashboardPath: appPath,
  checkoutSuccessPath: appPath,
  checkoutCancelPath: appPath,
  portalReturnPath: appPath,
  /** Firebase allows session cookies from 5 minutes to 14 days. */
  sessionDays: z.int().min(1).max(14),
  sessionsPerMinute: rate,
  writesPerMinute: rate,
  invitationDays: z.int().min(1).max(90),
  invitationsPerHour: rate,
  invitationsPerRecipientPerDay: rate,
  invitationPauseMinutes: z.int().min(0).max(1_440),
  checkoutsPerHour: rate,
  appCheckRequired: z.boolean(),
  auditDays: z.int().min(1).max(3_650),
  teamLimit: z.int().min(1).max(10_000),
  anonymousTeams: z.boolean(),
  uploadRequiresAuth: z.boolean(),
  uploadVerifiedOnly: z.boolean(),
  uploadMaxBytes: z.int().min(1).max(MAX_UPLOAD_BYTES),
  uploadsPerHour: rate,
  uploadMedia: z.boolean(),
  anonymousUploadHours: z.int().min(1).max(8_760),
  /** Widths in pixels. */
  imageSizes: z.array(z.int().min(16).max(4096), 'must be off or widths in pixels, such as 200,800').max(5),
  /** Stripe allows trials of up to two years. */
  trialDays: z.int().min(0).max(730),
  promotionCodes: z.boolean(),
  automaticTax: z.boolean(),
  collectAddress: z.boolean(),
  pastDueGraceDays: z.int().min(0).max(90),
  /** https://docs.stripe.com/billing/subscriptions/prorations */
  seatProration: z.enum(['create_prorations', 'always_invoice', 'none']),
  stripeApiUrl: origin,
  stripeSecretKey: secret,
  stripeWebhookSecret: secret,
  mailFrom: sender,
  /** `extension`, or the URL of the server that mail is delivered with. */
  mailSmtpUrl: smtpUrl,
  plans: planListSchema,
});

export type Config = z.output<typeof configSchema>;

const ENVIRONMENT_NAMES: Record<Exclude<keyof Config, 'plans'>, string> = {
  appUrl: 'APP_URL',
  ownOrigins: 'OWN_ORIGINS',
  hostingSites: 'HOSTING_SITES',
  previewChannels: 'PREVIEW_CHANNELS',
  allowedOrigins: 'ALLOWED_ORIGINS',
  signInPath: 'SIGN_IN_PATH',
  dashboardPath: 'DASHBOARD_PATH',
  checkoutSuccessPath: 'CHECKOUT_SUCCESS_PATH',
  checkoutCancelPath: 'CHECKOUT_CANCEL_PATH',
  portalReturnPath: 'PORTAL_RETURN_PATH',
  sessionDays: 'SESSION_DAYS',
  sessionsPerMinute: 'SESSIONS_PER_MINUTE',
  writesPerMinute: 'WRITES_PER_MINUTE',
  invitationDays: 'INVITATION_DAYS',
  invitationsPerHour: 'INVITATIONS_PER_HOUR',
  invitationsPerRecipientPerDay: 'INVITATIONS_PER_RECIPIENT_PER_DAY',
  invitationPauseMinutes: 'INVITATION_PAUSE_MINUTES',
  checkoutsPerHour: 'CHECKOUTS_PER_HOUR',
  appCheckRequired: 'APP_CHECK_REQUIRED',
  auditDays: 'AUDIT_DAYS',
  teamLimit: 'TEAM_LIMIT',
  anonymousTeams: 'ANONYMOUS_TEAMS',
  uploadRequiresAuth: 'UPLOAD_REQUIRES_AUTH',
  uploadVerifiedOnly: 'UPLOAD_VERIFIED_ONLY',
  uploadMaxBytes: 'UPLOAD_MAX_BYTES',
  uploadsPerHour: 'UPLOADS_PER_HOUR',
  uploadMedia: 'UPLOAD_MEDIA',
  anonymousUploadHours: 'ANONYMOUS_UPLOAD_HOURS',
  imageSizes: 'IMAGE_SIZES',
  trialDays: 'TRIAL_DAYS',
  promotionCodes: 'PROMOTION_CODES',
  automaticTax: 'AUTOMATIC_TAX',
  collectAddress: 'COLLECT_ADDRESS',
  pastDueGraceDays: 'PAST_DUE_GRACE_DAYS',
  seatProration: 'SEAT_PRORATION',
  stripeApiUrl: 'STRIPE_API_URL',
  stripeSecretKey: 'STRIPE_SECRET_KEY',
  stripeWebhookSecret: 'STRIPE_WEBHOOK_SECRET',
  mailFrom: 'MAIL_FROM',
  mailSmtpUrl: 'MAIL_SMTP_URL',
};

const INTEGERS = new Set<string>([
  'sessionDays',
  'sessionsPerMinute',
  'writesPerMinute',
  'invitationDays',
  'invitationsPerHour',
  'invitationsPerRecipientPerDay',
  'invitationPauseMinutes',
  'checkoutsPerHour',
  'auditDays',
  'teamLimit',
  'uploadMaxBytes',
  'uploadsPerHour',
  'anonymousUploadHours',
  'trialDays',
  'pastDueGraceDays',
]);

const BOOLEANS = new Set<string>([
  'previewChannels',
  'appCheckRequired',
  'anonymousTeams',
  'uploadRequiresAuth',
  'uploadVerifiedOnly',
  'uploadMedia',
  'promotionCodes',
  'automaticTax',
  'collectAddress',
]);

/** Texts separated by commas, or none. */
const LISTS = new Set<string>(['ownOrigins', 'hostingSites', 'allowedOrigins']);

/**
 * Checks configuration values.
 *
 * @throws Error whose message names each wrong setting by its environment name, and never its value.
 */
export function parseConfig(values: unknown): Config {
  const result = configSchema.safeParse(values);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const [key, ...rest] = issue.path.map(String);
    const name = key === undefined ? 'configuration' : nameOf(key);
    return `  ${[name, ...rest].join('.')}: ${issue.message}`;
  });
  throw new Error(`Hearth cannot start, its configuration is wrong:\n${lines.join('\n')}`);
}

/** Reads the configuration from the environment that Cloud Functions prepares from params and secrets. */
export function loadConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const entries = Object.entries(ENVIRONMENT_NAMES).map(([key, name]) => [
    key,
    fromText(key, environment[name]),
  ]);
  const values = Object.fromEntries(entries) as Record<string, unknown>;
  if (values['hostingSites'] === 'project') values['hostingSites'] = siteOf(environment['GCLOUD_PROJECT']);
  return parseConfig({ ...values, plans: plansJson });
}

/** The Hosting site named like the project. Ids of some old projects have a domain in front and name no site. */
function siteOf(projectId: string | undefined): string[] {
  const { data } = hostingSite.safeParse(projectId);
  return data === undefined ? [] : [data];
}

/** True while the Firebase CLI only asks which functions there are: params have no values yet. */
export function isDiscovery(): boolean {
  return process.env['FUNCTIONS_CONTROL_API'] === 'true';
}

function nameOf(key: string): string {
  return (ENVIRONMENT_NAMES as Record<string, string>)[key] ?? key;
}

/** Text becomes a number or boolean only when it is exactly one; anything else is left for the schema to refuse. */
function fromText(key: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  if (INTEGERS.has(key) && /^\d{1,15}$/.test(text)) return Number(text);
  if (BOOLEANS.has(key) && /^(true|false)$/.test(text)) return text === 'true';
  if (key === 'imageSizes' && /^(off|\d{1,5}(,\d{1,5})*)$/.test(text)) {
    return text === 'off' ? [] : text.split(',').map(Number);
  }
  if (LISTS.has(key) && text !== 'project' && /^[^\s,]+(,[^\s,]+)*$/.test(text)) {
    return text === 'none' ? [] : text.split(',');
  }
  return text;
}
