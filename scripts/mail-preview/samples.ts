import type { Message } from '../../functions/src/mail/outbox.store.ts';
import {
  accountDeletedMail,
  passwordResetMail,
  verificationMail,
  welcomeMail,
} from '../../functions/src/mail/templates/account.ts';
import {
  paymentFailedMail,
  planEndedMail,
  receiptMail,
  trialEndingMail,
} from '../../functions/src/mail/templates/billing.ts';
import { invitationMail } from '../../functions/src/mail/templates/invitation.ts';
import { askedMail, joinedMail, removedMail } from '../../functions/src/mail/templates/team.ts';
import type { Language } from '../../functions/src/settings/languages.ts';

const APP = 'http://localhost:5000';
const DAY = new Date('2026-05-08T12:00:00Z');
const TEAM = { teamName: 'Night Shift', memberName: 'Grace Hopper', memberEmail: 'grace@example.com' };
const PLAN = { plan: 'Pro', teamName: 'Night Shift', billingUrl: `${APP}/billing?team=night-shift` };
const INVOICE = { amount: 4900, currency: 'usd', invoiceUrl: 'https://invoice.stripe.com/i/example' };
const LINK = {
  email: 'ada@example.com',
  url: `${APP}/auth/action?mode=verifyEmail&oobCode=${'x'.repeat(54)}`,
};
const ANSWER = `${APP}/api/team`;
const ID = `${'0'.repeat(40)}.${'1'.repeat(40)}`;

const INVITATION = {
  teamName: 'Night Shift',
  senderName: 'Ada Lovelace',
  senderEmail: 'ada@example.com',
  role: 'admin',
  acceptUrl: `${ANSWER}/accept-invitation?invitationId=${ID}`,
  rejectUrl: `${ANSWER}/reject-invitation?invitationId=${ID}`,
  unsubscribeUrl: `${APP}/api/mail/unsubscribe?token=${'2'.repeat(48)}`,
  expiresAt: DAY,
};

/** Each mail of the service with sample values, by a name for addresses. */
export const SAMPLES: Readonly<Record<string, (language: Language) => Message>> = {
  invitation: (language) => invitationMail(INVITATION, language),
  welcome: (language) => welcomeMail({ url: `${APP}/dashboard` }, language),
  verification: (language) => verificationMail(LINK, language),
  'password-reset': (language) => passwordResetMail(LINK, language),
  joined: (language) => joinedMail({ ...TEAM, role: 'member', url: `${APP}/dashboard` }, language),
  asked: (language) =>
    askedMail({ email: TEAM.memberEmail, teamName: TEAM.teamName, url: `${APP}/dashboard` }, language),
  removed: (language) => removedMail(TEAM.teamName, language),
  'trial-ending': (language) =>
    trialEndingMail({ ...PLAN, until: DAY, mustAddPaymentMethod: false }, language),
  'trial-without-card': (language) =>
    trialEndingMail({ ...PLAN, until: DAY, mustAddPaymentMethod: true }, language),
  'payment-failed': (language) => paymentFailedMail({ ...PLAN, ...INVOICE }, language),
  receipt: (language) => receiptMail({ ...PLAN, ...INVOICE, teamName: undefined }, language),
  'plan-ended': (language) => planEndedMail(PLAN, language),
  'account-deleted': (language) => accountDeletedMail(language),
};
