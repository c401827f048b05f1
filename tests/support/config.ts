import { parseConfig, type Config } from '../../functions/src/settings/config.ts';
import plans from '../../functions/plans.json' with { type: 'json' };

export const APP_URL = 'http://localhost:5000';
export const STRIPE_SECRET_KEY = 'sk_test_in_process';
export const STRIPE_WEBHOOK_SECRET = 'whsec_in_process';

export function testConfig(stripeApiUrl: string, overrides: Partial<Config> = {}): Config {
  return parseConfig({
    appUrl: APP_URL,
    ownOrigins: [],
    hostingSites: [],
    previewChannels: false,
    allowedOrigins: [],
    signInPath: '/auth/sign-in',
    dashboardPath: '/dashboard',
    checkoutSuccessPath: '/billing/success',
    checkoutCancelPath: '/billing?checkout=cancelled',
    portalReturnPath: '/billing',
    sessionDays: 5,
    invitationDays: 7,
    // The tests do all of it far more often than a person.
    sessionsPerMinute: 1_000_000,
    writesPerMinute: 1_000_000,
    invitationsPerHour: 1_000_000,
    invitationsPerRecipientPerDay: 1_000_000,
    invitationPauseMinutes: 0,
    uploadsPerHour: 1_000_000,
    checkoutsPerHour: 1_000_000,
    appCheckRequired: false,
    auditDays: 365,
    teamLimit: 1_000,
    anonymousTeams: false,
    uploadRequiresAuth: true,
    uploadVerifiedOnly: true,
    uploadMaxBytes: 1024 * 1024,
    uploadMedia: false,
    anonymousUploadHours: 24,
    imageSizes: [],
    trialDays: 0,
    promotionCodes: false,
    automaticTax: false,
    collectAddress: false,
    pastDueGraceDays: 0,
    seatProration: 'create_prorations',
    stripeApiUrl,
    stripeSecretKey: STRIPE_SECRET_KEY,
    stripeWebhookSecret: STRIPE_WEBHOOK_SECRET,
    mailFrom: 'Hearth <no-reply@hearth.example>',
    mailSmtpUrl: 'extension',
    plans,
    ...overrides,
  });
}
