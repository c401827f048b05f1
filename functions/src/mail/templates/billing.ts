import { BRAND } from '@hearth/shared/brand';
import { formatMoney } from '@hearth/shared/money';
import { cleanTeamName, unlinked } from '../../common/name.ts';
import type { Language } from '../../settings/languages.ts';
import type { Message } from '../outbox.store.ts';
import { textsIn } from '../texts/texts.ts';
import type { MailTexts, PlanValues, Words } from '../texts/words.ts';
import { formatDay } from './format.ts';
import { renderMail } from './layout.ts';

/** The values that every mail about billing has. */
export interface BillingMail {
  /** The name of the plan, or of another item that was paid. */
  plan: string;
  /** The name of the team; undefined for a user's own plan. */
  teamName: string | undefined;
  /** The app's page for billing. */
  billingUrl: string;
}

export interface InvoiceMail extends BillingMail {
  /** In the currency's smallest unit. */
  amount: number;
  /** ISO code, such as `usd`. */
  currency: string;
  /** The page that shows the invoice and accepts the payment; undefined if Stripe has no such page. */
  invoiceUrl: string | undefined;
}

export interface TrialEndingMail extends BillingMail {
  until: Date;
  /** True if the plan ends with the trial unless the customer adds a payment method. */
  mustAddPaymentMethod: boolean;
}

/** Reminds a customer that the trial is about to end, and of the first payment or the missing payment method. */
export function trialEndingMail(mail: TrialEndingMail, language: Language): Message {
  const until = formatDay(mail.until, language);
  const { mustAddPaymentMethod } = mail;
  return renderBilling(mail, language, (texts, plan) =>
    texts.trialEnding({ ...plan, until, mustAddPaymentMethod }),
  );
}

export function paymentFailedMail(mail: InvoiceMail, language: Language): Message {
  return renderInvoice(mail, language, (texts, values) => texts.paymentFailed(values));
}

export function receiptMail(mail: InvoiceMail, language: Language): Message {
  return renderInvoice(mail, language, (texts, values) => texts.receipt(values));
}

export function planEndedMail(mail: BillingMail, language: Language): Message {
  return renderBilling(mail, language, (texts, plan) => texts.planEnded(plan));
}

function renderInvoice(
  { amount, currency, invoiceUrl, ...mail }: InvoiceMail,
  language: Language,
  wordsOf: (texts: MailTexts, values: PlanValues & { amount: string; hasInvoice: boolean }) => Words,
): Message {
  const invoice = {
    amount: formatMoney(amount, currency, { locale: language }),
    hasInvoice: invoiceUrl !== undefined,
  };
  return renderBilling({ ...mail, billingUrl: invoiceUrl ?? mail.billingUrl }, language, (texts, plan) =>
    wordsOf(texts, { ...plan, ...invoice }),
  );
}

function renderBilling(
  { plan, teamName, billingUrl }: BillingMail,
  language: Language,
  wordsOf: (texts: MailTexts, plan: PlanValues) => Words,
): Message {
  const team = teamName === undefined ? undefined : unlinked(cleanTeamName(teamName));
  const texts = textsIn(language);
  const words = wordsOf(texts, { app: BRAND.name, plan, team });
  return renderMail({ words, buttonUrl: billingUrl }, texts, language);
}
