import { randomUUID } from 'node:crypto';
import { BRAND } from '@hearth/shared/brand';
import * as z from 'zod';
import type { Backend } from '../backend.ts';
import { addressSchema } from '../common/email.ts';
import { writeLog } from '../common/log.ts';
import { sweepEach } from '../common/sweep.ts';
import type { Mail } from '../firestore/documents/mail.ts';
import type { Config } from '../settings/config.ts';
import { TRIGGER_EMAIL_EXTENSION } from '../settings/smtp-url.ts';
import { failedDelivery, finishedDelivery, leasedDelivery, nextStep, type Outcome } from './delivery.ts';
import { dueMail } from './outbox.store.ts';
import { sendBySmtp } from './smtp.ts';

/** Mails that a run has in memory. */
const PAGE_SIZE = 50;

/** A run lasts nine minutes at most, and an attempt one minute. Therefore no attempt begins after seven minutes. */
const LAST_ATTEMPT_AFTER_MS = 420_000;

const headerSchema = z.string().regex(/^[\x20-\x7e]{1,900}$/, 'must be one line of ASCII');

/** The fields of a mail. A mail with another field, such as `cc`, is refused, because that field would not be sent. */
const contentSchema = z.strictObject({
  to: z.array(addressSchema).min(1).max(50),
  message: z.strictObject({ subject: z.string(), text: z.string(), html: z.string() }),
  sentBy: z.unknown().optional(),
  outlivesAccount: z.unknown().optional(),
  headers: z
    .strictObject({ 'List-Unsubscribe': headerSchema, 'List-Unsubscribe-Post': headerSchema })
    .optional(),
  delivery: z.unknown().optional(),
  deleteAt: z.unknown().optional(),
});

/**
 * If an attempt is due, takes a lease on the mail, sends the mail and records the outcome. A concurrent or later call
 * finds the mail leased or done. Does nothing if the Trigger Email extension delivers.
 */
export async function deliverMail(backend: Backend, id: string): Promise<void> {
  const { config } = backend;
  if (config.mailSmtpUrl === TRIGGER_EMAIL_EXTENSION) return;
  const leased = await leaseMail(backend, id);
  if (leased === undefined) return;
  const outcome = await sendMail(config, id, leased.mail);
  await recordOutcome(backend, id, leased.leaseKey, outcome);
  if (outcome.kind !== 'sent') logMail(id, outcome.kind);
  else if (outcome.info.rejected.length > 0) logMail(id, 'refused for some recipients');
}

/**
 * Sends all mail that is due: after a failed attempt, at the request of an operator, or because its event was lost.
 * Mail whose sending process died is marked as failed. When the time of the run is over, the rest waits for the next
 * run. Runs may overlap.
 *
 * @returns the number of mails that were handled, sent or not
 */
export async function deliverDueMail(backend: Backend): Promise<number> {
  const { config, db } = backend;
  if (config.mailSmtpUrl === TRIGGER_EMAIL_EXTENSION) return 0;
  const lastAttempt = backend.now().getTime() + LAST_ATTEMPT_AFTER_MS;
  return sweepEach(
    dueMail(db, backend.now()).streamIntactInOrder(PAGE_SIZE),
    ({ id }) => deliverMail(backend, id),
    () => backend.now().getTime() > lastAttempt,
  );
}

/** Has `leased` or `hasFailed`. If nothing is due, it has neither. */
interface LeaseResult {
  leased?: LeasedMail;
  hasFailed?: true;
}

interface LeasedMail {
  mail: Mail;
  leaseKey: string;
}

/**
 * Takes the lease on a mail that is due. Marks a mail as failed if it will not be sent.
 *
 * If the answer to a commit is lost, the transaction runs again and reads its own write. It recognizes a lease by the
 * key, so that the mail is sent, and a failure by the time, so that it is logged. A failure keeps the key of the lease
 * that has expired: see `failedDelivery`.
 */
async function leaseMail(backend: Backend, id: string): Promise<LeasedMail | undefined> {
  const leaseKey = randomUUID();
  const now = backend.now();
  const { leased, hasFailed } = await backend.db.run(async (tx): Promise<LeaseResult> => {
    const mail = await tx.mail.get(id);
    if (mail === undefined) return {};
    const { delivery } = mail;
    if (delivery?.leaseKey === leaseKey) return { leased: { mail, leaseKey } };
    if (delivery?.state === 'ERROR' && delivery.endTime?.getTime() === now.getTime())
      return { hasFailed: true };
    const step = nextStep(delivery, now);
    if (step === undefined) return {};
    if (step.kind === 'fail') {
      tx.mail.update(id, { delivery: failedDelivery(delivery, step.error, now) });
      return { hasFailed: true };
    }
    tx.mail.update(id, { delivery: leasedDelivery(delivery, leaseKey, now) });
    return { leased: { mail, leaseKey } };
  });
  if (hasFailed === true) logMail(id, 'given up');
  return leased;
}

async function sendMail(config: Config, id: string, mail: Mail): Promise<Outcome> {
  const from = senderOf(config);
  const content = contentSchema.safeParse(mail);
  if (!content.success) return { kind: 'refused', error: z.prettifyError(content.error) };
  const { to, message, headers } = content.data;
  return sendBySmtp(config.mailSmtpUrl, { from, to, message, headers, messageId: messageIdOf(id, from) });
}

/** Records the outcome. If another process has taken a lease since, only the outcome of that process is recorded. */
async function recordOutcome(
  { db, now }: Backend,
  id: string,
  leaseKey: string,
  outcome: Outcome,
): Promise<void> {
  await db.run(async (tx) => {
    const delivery = (await tx.mail.get(id))?.delivery;
    if (delivery?.leaseKey !== leaseKey) return;
    tx.mail.update(id, { delivery: finishedDelivery(delivery, outcome, now()) });
  });
}

/** The sender. If MAIL_FROM is an address alone, the name of the app is added. */
function senderOf({ mailFrom }: Config): string {
  if (mailFrom.endsWith('>')) return mailFrom;
  return `"${BRAND.name.replaceAll(/["\\]/g, '')}" <${mailFrom}>`;
}

function messageIdOf(id: string, from: string): string {
  const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return `<${encodeURIComponent(id)}@${domain}>`;
}

/** Logs the result without its reason, because the reason may contain addresses. The document has the reason. */
function logMail(mailId: string, result: string): void {
  writeLog({ severity: result === 'deferred' ? 'WARNING' : 'ERROR', message: `Mail ${result}`, mailId });
}
