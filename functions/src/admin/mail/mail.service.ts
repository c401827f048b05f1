import type { UserRecord } from 'firebase-admin/auth';
import { accountMessageOf, type AccountMailKind } from '../../account/account-mail.service.ts';
import type { Backend } from '../../backend.ts';
import type { Reads, Tx } from '../../firestore/db.ts';
import { isDocumentId } from '../../firestore/document-id.ts';
import type { Mail } from '../../firestore/documents/mail.ts';
import { deliveryForRetry } from '../../mail/delivery.ts';
import { writeMail, latestMailTo } from '../../mail/outbox.store.ts';
import { recipientIdOf } from '../../mail/recipient.ts';
import { shownFieldsOf } from '../../mail/shown-fields.ts';
import { refusal } from '../../refusals/refusals.ts';
import type { Config } from '../../settings/config.ts';
import type { AdminMailOfAddressView, AdminMailView } from '../admin.view.ts';
import { findAccounts, recordActionIn, requireAccount, type Operator } from '../operator.service.ts';
import { withoutFields } from '../stored-documents.ts';

/** Mails in one list. */
const MAX_LISTED = 20;

/** Time during which a repeated request for the same mail has no effect. */
const PAUSE_MS = 300_000;

/**
 * The latest mail to the address of a user, in any state, without its text.
 *
 * @throws Refusal `user_not_found`
 */
export async function listMailTo(backend: Backend, uid: string): Promise<AdminMailView[]> {
  const { email } = await requireAccount(backend, uid);
  return email === undefined ? [] : latestViews(backend, email.toLowerCase());
}

/**
 * The latest mail to an address, which may have no account, and whether its owner wants mail that others request.
 *
 * @param email lower case
 */
export async function findMail(backend: Backend, email: string): Promise<AdminMailOfAddressView> {
  const [mail, mailRecipient] = await Promise.all([
    latestViews(backend, email),
    describeRecipient(backend, email),
  ]);
  return { mail, mailRecipient };
}

/**
 * The recipient record of the mailbox of an address, without its token; null if nobody has mailed it.
 *
 * @param email lower case
 */
export async function describeRecipient(
  { db }: Backend,
  email: string,
): Promise<Record<string, unknown> | null> {
  const id = recipientIdOf(email);
  const recipient = await db.mailRecipients.getIntact(id);
  return recipient === undefined ? null : withoutFields(recipient, ['token']);
}

/**
 * A stored mail without its text.
 *
 * @throws Refusal `mail_not_found`
 */
export async function describeMail({ db }: Backend, id: string): Promise<AdminMailView & { to: string[] }> {
  const mail = await requireMail(db, id);
  return { to: shownFieldsOf(mail).to, ...viewOf(id, mail) };
}

async function latestViews({ db }: Backend, email: string): Promise<AdminMailView[]> {
  const found = await latestMailTo(db, email).limit(MAX_LISTED).findIntact();
  return found.map(({ id, data }) => viewOf(id, data));
}

function viewOf(id: string, mail: Mail): AdminMailView {
  const { state = null, attempts = 0, error = null, startTime = null, endTime = null } = mail.delivery ?? {};
  const at = endTime ?? startTime;
  const { subject } = shownFieldsOf(mail);
  return { id, subject, state, attempts, error, at: at?.toISOString() ?? null };
}

/**
 * Mails a user a new link or the welcome, to the address of the account. Does nothing if an operator sent the same mail
 * less than five minutes ago.
 *
 * @throws Refusal `user_not_found`, `email_missing`, `mail_not_possible`, `mail_to_disabled`, `mail_to_verified`,
 *   `mail_to_unverified`, `mail_turned_off`, `too_many_requests`
 */
export async function sendAccountMail(
  backend: Backend,
  operator: Operator,
  uid: string,
  kind: AccountMailKind,
): Promise<void> {
  const user = await requireAccount(backend, uid);
  const email = user.email?.toLowerCase();
  if (email === undefined) throw refusal('email_missing');
  requireSensible(backend.config, user, kind);
  const message = await accountMessageOf(backend, kind, email);
  if (message === undefined) throw refusal('mail_not_possible');
  await backend.db.run(async (tx) => {
    const now = backend.now();
    const id = await freeId(tx, `operator-${kind}-${uid}`, now);
    if (id === undefined) return;
    writeMail(tx, { id, to: email, message }, now);
    recordActionIn(tx, operator, now, { action: 'admin.mail_sent', target: uid, details: { kind } });
  });
}

/**
 * Requires that a mail makes sense in the state of the account.
 *
 * @throws Refusal `mail_to_disabled`, `mail_to_verified`, `mail_to_unverified`, `mail_turned_off`
 */
function requireSensible(
  { mailWelcome }: Config,
  { disabled, emailVerified }: UserRecord,
  kind: AccountMailKind,
): void {
  if (disabled) throw refusal('mail_to_disabled');
  if (kind === 'verification' && emailVerified) throw refusal('mail_to_verified');
  // Anybody can register the address of another person.
  if (kind === 'welcome' && !emailVerified) throw refusal('mail_to_unverified');
  if (kind === 'welcome' && !mailWelcome) throw refusal('mail_turned_off', { setting: 'MAIL_WELCOME' });
}

/** An id for a mail at this time. Undefined if the same mail was written less than `PAUSE_MS` ago. */
async function freeId(tx: Tx, name: string, now: Date): Promise<string | undefined> {
  const slot = Math.floor(now.getTime() / PAUSE_MS);
  const current = `${name}-${slot}`;
  if (await tx.mail.exists(current)) return undefined;
  const startTime = (await tx.mail.get(`${name}-${slot - 1}`))?.delivery?.startTime?.getTime() ?? 0;
  return now.getTime() - startTime < PAUSE_MS ? undefined : current;
}

/**
 * Delivers a stored mail once more, with the text and to the address that it has. The schedule sends it within five
 * minutes. Does nothing for a mail that is on its way or was sent less than five minutes ago.
 *
 * @throws Refusal `mail_not_found`, `mail_unwanted` for a recipient who has stopped such mail
 */
export async function resendMail(backend: Backend, operator: Operator, id: string): Promise<void> {
  const { db } = backend;
  const recipientId = await uidOfRecipient(backend, await requireMail(db, id));
  // If the id of the mail has a uid, that user is the target. Deleting their account then replaces both in the entry.
  const target = uidInMailId(id) ?? recipientId ?? id;
  await db.run(async (tx) => {
    const now = backend.now();
    const mail = await requireMail(tx, id);
    const delivery = deliveryForRetry(mail.delivery, now, PAUSE_MS);
    if (delivery === undefined) return;
    await requireWanted(tx, mail);
    tx.mail.update(id, { delivery });
    recordActionIn(tx, operator, now, { action: 'admin.mail_resent', target, details: { mail: id } });
  });
}

async function requireMail(reads: Reads, id: string): Promise<Mail> {
  const mail = isDocumentId(id) ? await reads.mail.get(id) : undefined;
  if (mail === undefined) throw refusal('mail_not_found');
  return mail;
}

/** Only mail that another user requested has headers. Its recipient can opt out of such mail. */
async function requireWanted(tx: Tx, mail: Mail): Promise<void> {
  if (mail.headers === undefined) return;
  for (const address of shownFieldsOf(mail).to) {
    const recipient = await tx.mailRecipients.get(recipientIdOf(address));
    const isStopped = recipient !== undefined && recipient.optedOutAt !== null;
    if (isStopped) throw refusal('mail_unwanted');
  }
}

/**
 * The uid in the id of a mail that is written once for a user, such as `welcome-{uid}`. It is needed if no account has
 * the address of the mail any more. With the uid as its target, the entry is found when the account is deleted.
 */
function uidInMailId(id: string): string | undefined {
  const [, ofWelcome, ofOperator] = /^(?:welcome-(.+)|operator-[a-z_]+?-(.+)-\d+)$/.exec(id) ?? [];
  return ofWelcome ?? ofOperator;
}

/** The uid of the account that has the address of a mail, for the audit log. */
async function uidOfRecipient(backend: Backend, mail: Mail): Promise<string | undefined> {
  const [email] = shownFieldsOf(mail).to;
  if (email === undefined) return undefined;
  const [account] = await findAccounts(backend, email);
  return account?.uid;
}
