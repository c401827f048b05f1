import { randomUUID } from 'node:crypto';
import type { UserRecord } from 'firebase-admin/auth';
import type { Caller } from '../auth/caller.ts';
import type { Backend } from '../backend.ts';
import { addressSchema, countedAs, mailboxOf } from '../common/email.ts';
import { hasCode, USER_NOT_FOUND } from '../common/error-code.ts';
import { logWarning } from '../common/log.ts';
import type { Tx } from '../firestore/db.ts';
import { writeMail, writeMailAlone, writeNoMail, type Message } from '../mail/outbox.store.ts';
import {
  accountDeletedMail,
  passwordResetMail,
  verificationMail,
  welcomeMail,
  type AccountLinkMail,
} from '../mail/templates/account.ts';
import { countInTransaction } from '../rate-limits/stored-count.ts';
import { hasRefusalCode, refusal } from '../refusals/refusals.ts';
import type { Language } from '../settings/languages.ts';
import { RATE_LIMITS } from '../settings/rate-limits.ts';
import { ownActionUrl } from './action-url.ts';

/** Codes of Firebase Auth if the account was deleted or disabled a moment ago. */
const NO_ACCOUNT = ['auth/email-not-found', USER_NOT_FOUND, 'auth/user-disabled'];

/** Codes of Firebase Auth that ask for fewer links to one address. */
const TOO_MANY = ['auth/too-many-requests', 'auth/too-many-attempts-try-later'];

/** The kinds of mail that an operator can send to the owner of an account. */
export const ACCOUNT_MAIL_KINDS = ['verification', 'password_reset', 'welcome'] as const;

export type AccountMailKind = (typeof ACCOUNT_MAIL_KINDS)[number];

/**
 * The message of a mail about an account, with a new link. Undefined if the account cannot use the link.
 *
 * @param email lower case
 * @throws Refusal `too_many_requests`
 */
export async function accountMessageOf(
  backend: Backend,
  kind: AccountMailKind,
  email: string,
): Promise<Message | undefined> {
  switch (kind) {
    case 'verification':
      return verificationMessage(backend, email);
    case 'password_reset':
      return passwordResetMessage(backend, { email, account: await findUsableAccount(backend, email) });
    case 'welcome':
      return welcomeMessage(backend);
  }
}

/**
 * Mails the caller a link that verifies their address. Does nothing if the address is already verified.
 *
 * @param continueTo path in the app where the user continues afterwards
 * @throws Refusal `email_missing`, `too_many_requests`; `email_invalid` for an address that cannot be mailed
 */
export async function mailVerification(
  backend: Backend,
  { email, emailVerified }: Caller,
  continueTo: string | undefined,
): Promise<void> {
  if (email === undefined) throw refusal('email_missing');
  if (emailVerified) return;
  // Firebase Auth decides which addresses an account can have.
  if (!addressSchema.safeParse(email).success) throw refusal('email_invalid');
  const message = await verificationMessage(backend, email, continueTo);
  if (message !== undefined) await writeMailAlone(backend.db, { to: email, message }, backend.now());
}

/**
 * Mails the owner of an address a link to choose a new password. Neither the answer nor its duration shows who has an
 * account: an unknown address has the same answer, the same calls to Firebase Auth and one commit of the same size in
 * Firestore, too.
 *
 * Mails nothing if other spellings of the mailbox have had all mails of the hour. A refusal would show that the account
 * exists.
 *
 * @param email lower case
 * @param continueTo path in the app where the user continues afterwards
 */
export async function mailPasswordReset(
  backend: Backend,
  email: string,
  continueTo: string | undefined,
): Promise<void> {
  const { config, db, now } = backend;
  const account = await findUsableAccount(backend, email);
  const message = await messageUnlessLimited(() =>
    passwordResetMessage(backend, { email, account, continueTo }),
  );
  const isCounted = message !== undefined && sharesCount(email, account);
  // A key that no other request has is always within the limit.
  const key = isCounted ? `reset mail ${countedAs(email)}` : randomUUID();
  await db.run(async (tx) => {
    const isWithinLimit = await countInTransaction(tx, RATE_LIMITS.accountMails(config), key, now());
    if (message !== undefined && isWithinLimit) writeMail(tx, { to: email, message }, now());
    else writeNoMail(tx);
  });
}

/**
 * Whether mail to an address shares the limit of all other spellings of its mailbox. The limit of the address itself is
 * enough for the spelling of the mailbox, and for a verified address, which only the owner of the mailbox can have.
 */
function sharesCount(email: string, account: UserRecord | undefined): boolean {
  return email !== mailboxOf(email) && account?.emailVerified !== true;
}

/** Anybody can use up the limit that Firebase Auth has for an account. A refusal would show that the account exists. */
async function messageUnlessLimited(make: () => Promise<Message | undefined>): Promise<Message | undefined> {
  try {
    return await make();
  } catch (error) {
    if (!hasRefusalCode(error, 'too_many_requests')) throw error;
    logWarning('No link for a new password was made', error);
    return undefined;
  }
}

/**
 * Welcomes a new user, once. Call it for verified addresses only: anybody can register the address of another person.
 */
export async function writeWelcomeMail(backend: Backend, uid: string, email: string): Promise<void> {
  const { config, db, now } = backend;
  if (!config.mailWelcome) return;
  const id = `welcome-${uid}`;
  const message = welcomeMessage(backend);
  await db.run(async (tx) => {
    if (!(await tx.mail.exists(id))) writeMail(tx, { id, to: email, message }, now());
  });
}

/**
 * Confirms to the owner of a verified address that their account is deleted, in the transaction that deletes the
 * profile.
 *
 * @param mail.id the same for each attempt to delete the account, so that only one mail is written
 */
export async function writeAccountDeletedMail(
  tx: Tx,
  { config, now }: Pick<Backend, 'config' | 'now'>,
  { id, to }: { id: string; to: string },
): Promise<void> {
  if (!config.mailAccountDeleted || (await tx.mail.exists(id))) return;
  const message = accountDeletedMail(config.mailLanguage);
  writeMail(tx, { id, to, message, outlivesAccount: true }, now());
}

/** @returns undefined if no account can use the link */
async function askForLink(ask: () => Promise<string>): Promise<string | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (hasCode(error, ...NO_ACCOUNT)) return undefined;
    if (hasCode(error, ...TOO_MANY)) throw refusal('too_many_requests', {}, { cause: error });
    throw refusal('auth_unavailable', {}, { cause: error });
  }
}

function welcomeMessage({ config }: Backend): Message {
  return welcomeMail({ url: config.appUrl + config.dashboardPath }, config.mailLanguage);
}

function verificationMessage(backend: Backend, email: string, continueTo?: string) {
  const ask = () => backend.auth.generateEmailVerificationLink(email);
  return linkMessage(backend, { ask, write: verificationMail }, { email, continueTo });
}

/**
 * Needs the account, which was looked up before. With email enumeration protection, Firebase Auth answers a request for
 * the link of an unknown address with success and without a link, and the Admin SDK throws `auth/internal-error`, as in
 * an outage.
 *
 * https://cloud.google.com/identity-platform/docs/admin/email-enumeration-protection
 */
async function passwordResetMessage(
  backend: Backend,
  { email, account, continueTo }: PasswordResetRequest,
): Promise<Message | undefined> {
  const ask = () => backend.auth.generatePasswordResetLink(email);
  const message = linkMessage(backend, { ask, write: passwordResetMail }, { email, continueTo });
  return account === undefined ? message.then(noMessage, noMessage) : message;
}

function noMessage(): undefined {
  return undefined;
}

/** The account with an address; undefined if there is none, or if it is disabled. */
async function findUsableAccount({ auth }: Backend, email: string): Promise<UserRecord | undefined> {
  const { users } = await auth.getUsers([{ email }]).catch((cause: unknown) => {
    throw refusal('auth_unavailable', {}, { cause });
  });
  return users.find(({ disabled }) => !disabled);
}

interface LinkMailMaker {
  ask: () => Promise<string>;
  write: (mail: AccountLinkMail, language: Language) => Message;
}

interface LinkRequest {
  email: string;
  continueTo?: string | undefined;
}

interface PasswordResetRequest extends LinkRequest {
  /** Undefined if the address has no account that can use the link. */
  account: UserRecord | undefined;
}

/** The message of a mail with a link. Undefined if the account cannot use the link. */
async function linkMessage(
  { config }: Backend,
  { ask, write }: LinkMailMaker,
  { email, continueTo }: LinkRequest,
): Promise<Message | undefined> {
  const link = await askForLink(ask);
  if (link === undefined) return undefined;
  return write({ email, url: ownActionUrl(config, link, continueTo) }, config.mailLanguage);
}
