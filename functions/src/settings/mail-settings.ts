import { choice, flag, secret, text } from './kinds.ts';
import { LANGUAGES } from './languages.ts';
import { senderSchema, smtpUrlSchema } from './schemas.ts';

export const mail = {
  mailFrom: text('MAIL_FROM', {
    values: 'Name <address>, or an address',
    schema: senderSchema,
    description: 'Sender of all mail. For an address alone, the name of the app is added',
  }),
  mailSmtpUrl: secret('MAIL_SMTP_URL', {
    values: 'smtps://user:password@host, smtp://user:password@host, or extension',
    schema: smtpUrlSchema,
    description:
      'SMTP server that sends the mail. The word extension means the Trigger Email extension or its function kit',
  }),
  mailLanguage: choice('MAIL_LANGUAGE', {
    default: 'en',
    options: LANGUAGES,
    description: 'Language of all mail',
  }),
  mailWelcome: flag('MAIL_WELCOME', {
    default: true,
    description: 'Mail new users whose address the sign-in provider has verified',
  }),
  mailJoined: flag('MAIL_JOINED', {
    default: true,
    description: 'Mail the sender of an invitation when it is accepted',
  }),
  mailRemoved: flag('MAIL_REMOVED', {
    default: true,
    description: 'Mail members whom somebody removed from a team',
  }),
  mailAccountDeleted: flag('MAIL_ACCOUNT_DELETED', {
    default: true,
    description: 'Mail users whose account is deleted',
  }),
  mailReceipt: flag('MAIL_RECEIPT', {
    default: true,
    description:
      "Mail customers after each payment for a plan or a purchase. Turn off either this mail or Stripe's own receipts",
  }),
  mailTrialEnding: flag('MAIL_TRIAL_ENDING', {
    default: true,
    description: 'Mail customers three days before their trial ends',
  }),
  mailPaymentFailed: flag('MAIL_PAYMENT_FAILED', {
    default: true,
    description: 'Mail customers when a payment has failed',
  }),
  mailPlanEnded: flag('MAIL_PLAN_ENDED', {
    default: true,
    description: 'Mail customers when their plan has ended',
  }),
};
