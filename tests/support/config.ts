import { loadConfig, parseConfig, type Config } from '../../functions/src/settings/config.ts';
import { SAMPLE_OFFERED } from '../../functions/src/testing/sample-plans.ts';
import { TEST_SETTINGS } from '../../functions/src/testing/settings.ts';

export const APP_URL = 'http://localhost:5000';
export const STRIPE_SECRET_KEY = 'sk_test_in_process';
export const STRIPE_WEBHOOK_SECRET = 'whsec_in_process';

/**
 * The configuration of an app in a test: the defaults, with limits that no test reaches by accident. Its plans are
 * SAMPLE_PLANS, regardless of the plans of the project.
 */
export function testConfig(stripeApiUrl: string, overrides: Partial<Config> = {}): Config {
  return parseConfig({
    ...loadConfig(TEST_SETTINGS),
    ...SAMPLE_OFFERED,
    appUrl: APP_URL,
    stripeApiUrl,
    stripeSecretKey: STRIPE_SECRET_KEY,
    stripeWebhookSecret: STRIPE_WEBHOOK_SECRET,
    mailFrom: 'Hearth <no-reply@hearth.example>',
    mailSmtpUrl: 'extension',
    sessionsPerMinute: 1_000_000,
    writesPerMinute: 1_000_000,
    readsPerMinute: 1_000_000,
    invitationsPerHour: 1_000_000,
    invitationsPerRecipientPerDay: 1_000_000,
    invitationPauseMinutes: 0,
    uploadsPerHour: 1_000_000,
    usageReportsPerMinute: 1_000_000,
    checkoutsPerHour: 1_000_000,
    accountMailsPerHour: 1_000_000,
    teamLimit: 1_000,
    uploadMaxBytes: 1024 * 1024,
    ...overrides,
  });
}
