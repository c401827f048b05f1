import { SETTINGS } from '../settings/table.ts';

const DEFAULTS = Object.values(SETTINGS).flatMap(({ name, default: value }) =>
  value === undefined ? [] : [[name, String(value)] as const],
);

/** A complete environment, as `firebase deploy` prepares it: all defaults, and a value for each required setting. */
export const TEST_SETTINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(DEFAULTS),
  APP_URL: 'https://app.example.com',
  MAIL_FROM: 'Hearth <no-reply@app.example.com>',
  STRIPE_SECRET_KEY: 'sk_test_secret',
  STRIPE_WEBHOOK_SECRET: 'whsec_secret',
  MAIL_SMTP_URL: 'smtps://hearth:smtp_secret@smtp.example.com',
};
