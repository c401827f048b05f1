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

/** Reminds a customer that the trial is about to end and the first payment is due. */
export function trialEndingMail(mail: BillingMail & { until: Date }, language: Language): Message {
  const until = formatDay(mail.until, language);
  return renderBilling(mail, language, (texts, plan) => texts.trialEnding({ ...plan, until }));
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
