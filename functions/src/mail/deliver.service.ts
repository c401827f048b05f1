import type { Firestore } from 'firebase-admin/firestore';
import { write } from 'firebase-functions/logger';
import * as z from 'zod';
import type { Config } from '../settings/config.ts';
import type { Backend } from '../backend.ts';
import { EXTENSION } from '../settings/smtp-url.ts';
import { sweepEach } from '../common/sweep.ts';
import { transact } from '../firestore/transaction.ts';
import { judge, type Outcome } from './delivery.ts';
import { claimMail, closeMail, dueMail, mailRef, recordOutcome, type Mail } from './outbox.store.ts';
import { sendLetter } from './smtp.ts';

/** Bounds the memory of a run and what it reads in vain. */
const PAGE_SIZE = 50;

/** No attempt begins later in a run, which has nine minutes: the last may take one. */
const LAST_ATTEMPT_AFTER_MS = 420_000;

const headerSchema = z.string().regex(/^[\x20-\x7e]{1,900}$/, 'must be one line of ASCII');

/** What is sent. Anything more, such as `cc`, is refused, because it would be left out. */
const contentSchema = z.strictObject({
  to: z.array(z.email()).min(1).max(50),
  message: z.strictObject({ subject: z.string(), text: z.string(), html: z.string() }),
  sentBy: z.unknown().optional(),
  headers: z
    .strictObject({ 'List-Unsubscribe': headerSchema, 'List-Unsubscribe-Post': headerSchema })
    .optional(),
  delivery: z.unknown().optional(),
  deleteAt: z.unknown().optional(),
});

/**
 * Delivers a mail, if it is its turn: claims it, sends it, records the outcome. Whoever comes second, at the same time or
 * later, finds it claimed or done. Does nothing where the Trigger Email extension delivers.
 */
export async function deliverMail(backend: Backend, id: string): Promise<void> {
  const { config } = backend;
  if (config.mailSmtpUrl === EXTENSION) return;
  const firestore = await backend.firestore();
  const claim = await claimIfDue(firestore, id, backend.now());
  if (claim === undefined) return;
  const outcome = await attempt(config, id, claim.mail);
  await conclude(firestore, id, claim.lease, outcome, backend.now());
  if (outcome.kind !== 'sent') report(id, outcome.kind);
  else if (outcome.info.rejected.length > 0) report(id, 'refused for some recipients');
}

/**
 * Delivers what is due: failed attempts whose time has come, what an admin wants sent again, and what a lost event or
 * a process that died has left.
 *
 * Goes from page to page, so that whatever cannot be dealt with keeps no other mail; what is left when the time is over
 * waits for the next run. Runs may overlap.
 *
 * @returns how many were looked at
 */
export async function deliverDueMail(backend: Backend): Promise<number> {
  const { config } = backend;
  if (config.mailSmtpUrl === EXTENSION) return 0;
  const due = dueMail(await backend.firestore(), backend.now());
  const lastAttempt = backend.now().getTime() + LAST_ATTEMPT_AFTER_MS;
  const isOver = () => backend.now().getTime() > lastAttempt;
  let looked = 0;
  let page = await due.limit(PAGE_SIZE).get();
  for (;;) {
    const mails = page.docs.map(({ ref }) => ref);
    looked += await sweepEach(mails, ({ id }) => deliverMail(backend, id), isOver);
    const last = page.docs.at(-1);
    if (last === undefined || page.size < PAGE_SIZE || isOver()) return looked;
    page = await due.startAfter(last).limit(PAGE_SIZE).get();
  }
}

interface Claim {
  mail: Mail;
  /** Until when it is ours: nobody else's claim ends at the same time. */
  lease: Date;
}

async function claimIfDue(firestore: Firestore, id: string, now: Date): Promise<Claim | undefined> {
  const ref = mailRef(firestore, id);
  const { claim, closed } = await transact(firestore, async (transaction) => {
    const mail = (await transaction.get(ref)).data();
    const verdict = mail === undefined ? 'leave' : judge(mail.delivery, now);
    if (mail === undefined || verdict === 'leave') return {};
    if (verdict === 'send')
      return { claim: { mail, lease: claimMail(transaction, ref, mail.delivery, now) } };
    closeMail(transaction, ref, verdict.error, now);
    return { closed: true };
  });
  if (closed === true) report(id, 'given up');
  return claim;
}

async function attempt(config: Config, id: string, mail: Mail): Promise<Outcome> {
  const { mailFrom: from, mailSmtpUrl } = config;
  const content = contentSchema.safeParse(mail);
  if (!content.success) return { kind: 'refused', error: z.prettifyError(content.error) };
  const { to, message, headers } = content.data;
  return sendLetter(mailSmtpUrl, { from, to, message, headers, messageId: messageIdOf(id, from) });
}

/** Records the outcome, unless somebody else claimed the mail since: then it is theirs to tell. */
async function conclude(
  firestore: Firestore,
  id: string,
  lease: Date,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const ref = mailRef(firestore, id);
  await transact(firestore, async (transaction) => {
    const delivery = (await transaction.get(ref)).data()?.delivery;
    if (delivery?.leaseExpireTime?.toMillis() !== lease.getTime()) return;
    recordOutcome(transaction, ref, delivery.attempts, outcome, now);
  });
}

function messageIdOf(id: string, from: string): string {
  const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return `<${encodeURIComponent(id)}@${domain}>`;
}

/** The document has the reason; the log has neither addresses nor what a server said about them. */
function report(mailId: string, what: string): void {
  write({ severity: what === 'deferred' ? 'WARNING' : 'ERROR', message: `Mail ${what}`, mailId });
}
