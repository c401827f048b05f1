import escapeHtml from 'escape-html';
import { cleanTeamName, unlinked } from '../../common/name.ts';
import type { Message } from '../outbox.store.ts';
import { formatDay, htmlButton, htmlPage } from './layout.ts';

/** The values that every mail about billing has. */
export interface BillingMail {
  /** The name of the plan. */
  plan: string;
  /** The name of the team; undefined for a user's own plan. */
  teamName: string | undefined;
  /** The app's page for billing. */
  billingUrl: string;
}

/** Reminds a customer that the trial is about to end and the first payment is due. */
export function trialEndingMail({ until, ...mail }: BillingMail & { until: Date }): Message {
  return messageOf(mail, {
    subject: `Your free trial of ${mail.plan} ends on ${formatDay(until)}`,
    sentences: [
      `The free trial of the plan ${mail.plan}${ofTeam(mail)} ends on ${formatDay(until)}.`,
      'After that the plan is charged to your payment method. To avoid this, cancel before that day.',
    ],
    button: 'Manage the subscription',
  });
}

interface PaymentFailedMail extends BillingMail {
  /** In the currency's smallest unit. */
  amount: number;
  /** ISO code, such as `usd`. */
  currency: string;
  /** The page where the invoice can be paid. */
  payUrl: string | undefined;
}

/** Tells a customer that a payment has failed. */
export function paymentFailedMail({ amount, currency, payUrl, ...mail }: PaymentFailedMail): Message {
  return messageOf(
    { ...mail, billingUrl: payUrl ?? mail.billingUrl },
    {
      subject: `Your payment for ${mail.plan} has failed`,
      sentences: [
        `The payment of ${formatAmount(amount, currency)} for the plan ${mail.plan}${ofTeam(mail)} has failed.`,
        'Pay the invoice or update the payment method, so that the plan continues.',
      ],
      button: payUrl === undefined ? 'Update the payment method' : 'Pay the invoice',
    },
  );
}

/** Tells a customer that the plan has ended. */
export function planEndedMail(mail: BillingMail): Message {
  return messageOf(mail, {
    subject: `Your plan ${mail.plan} has ended`,
    sentences: [
      `The plan ${mail.plan}${ofTeam(mail)} has ended.`,
      'Your data stays. You can choose a plan again at any time.',
    ],
    button: 'Choose a plan',
  });
}

interface Content {
  subject: string;
  sentences: string[];
  button: string;
}

function messageOf({ billingUrl }: BillingMail, { subject, sentences, button }: Content): Message {
  const paragraphs = sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join('\n');
  return {
    subject,
    text: `Hello,\n\n${sentences.join('\n')}\n\n${button}:\n${billingUrl}\n`,
    html: htmlPage(subject, `${paragraphs}\n<p>${htmlButton(button, billingUrl)}</p>`),
  };
}

function ofTeam({ teamName }: BillingMail): string {
  return teamName === undefined ? '' : ` of the team "${unlinked(cleanTeamName(teamName))}"`;
}

/** An amount for people to read. Some currencies have no smaller unit. */
function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
