import type { Caller } from '../auth/caller.ts';
import type { Backend } from '../backend.ts';
import { hasCode, USER_NOT_FOUND } from '../common/error-code.ts';
import type { Tx } from '../firestore/db.ts';
import { enqueueMail, enqueueMailAlone, type Message } from '../mail/outbox.store.ts';
import {
  accountDeletedMail,
  passwordResetMail,
  verificationMail,
  welcomeMail,
  type AccountLinkMail,
} from '../mail/templates/account.ts';
import { refuse } from '../refusals.ts';
import type { Language } from '../settings/languages.ts';
import { ownActionUrl } from './action-url.ts';

/** Codes of Firebase Auth for an address that gets no link to choose a password. */
const NO_ACCOUNT = ['auth/email-not-found', USER_NOT_FOUND, 'auth/user-disabled'];

/** Codes of Firebase Auth that ask for fewer links to one address. */
const TOO_MANY = ['auth/too-many-requests', 'auth/too-many-attempts-try-later'];

/**
 * Mails the caller a link that verifies their address. Does nothing if the address is verified.
 *
 * @param continueTo path of the app to go on to afterwards
 * @throws Refusal `email_missing`, `too_many_requests`, `auth_unavailable`, `busy`
 */
export async function mailVerification(
  backend: Backend,
  { email, emailVerified }: Caller,
  continueTo: string | undefined,
): Promise<void> {
  if (email === undefined) throw refuse('email_missing');
  if (emailVerified) return;
  const link = await askForLink(() => backend.auth.generateEmailVerificationLink(email));
  if (link !== undefined) await mailLink(backend, verificationMail, { email, link, continueTo });
}

/**
 * Mails the owner of an address a link to choose a new password. Succeeds for an unknown address as well, so that callers
 * cannot learn who has an account.
 *
 * @param email lower case
 * @param continueTo path of the app to go on to afterwards
 * @throws Refusal `too_many_requests`, `auth_unavailable`, `busy`
 */
export async function mailPasswordReset(
  backend: Backend,
  email: string,
  continueTo: string | undefined,
): Promise<void> {
  const link = await askForLink(() => backend.auth.generatePasswordResetLink(email));
  if (link !== undefined) await mailLink(backend, passwordResetMail, { email, link, continueTo });
}

/**
 * Welcomes a new user, once. Call it for verified addresses only: anybody can register the address of another person.
 */
export async function mailWelcome({ config, db, now }: Backend, uid: string, email: string): Promise<void> {
  if (!config.mailWelcome) return;
  const id = `welcome-${uid}`;
  const message = welcomeMail({ url: config.appUrl + config.dashboardPath }, config.mailLanguage);
  await db.run(async (tx) => {
    if (!(await tx.mail.exists(id))) enqueueMail(tx, { id, to: email, message }, now());
  });
}

/**
 * Confirms to the owner of a verified address that their account is deleted, in the transaction that deletes the last of it.
 *
 * @param mail.id the same for each attempt to delete the account, so that one mail is written
 */
export async function mailAccountDeleted(
  tx: Tx,
  { config, now }: Pick<Backend, 'config' | 'now'>,
  { id, to }: { id: string; to: string },
): Promise<void> {
  if (!config.mailAccountDeleted || (await tx.mail.exists(id))) return;
  const message = accountDeletedMail(config.mailLanguage);
  enqueueMail(tx, { id, to, message, outlivesAccount: true }, now());
}

/** @returns undefined if no account can use the link */
async function askForLink(ask: () => Promise<string>): Promise<string | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (hasCode(error, ...NO_ACCOUNT)) return undefined;
    if (hasCode(error, ...TOO_MANY)) throw refuse('too_many_requests', {}, { cause: error });
    throw refuse('auth_unavailable', {}, { cause: error });
  }
}

interface MailedLink {
  email: string;
  link: string;
  continueTo: string | undefined;
}

async function mailLink(
  { config, db, now }: Backend,
  write: (mail: AccountLinkMail, language: Language) => Message,
  { email, link, continueTo }: MailedLink,
): Promise<void> {
  const message = write({ email, url: ownActionUrl(config, link, continueTo) }, config.mailLanguage);
  await enqueueMailAlone(db, { to: email, message }, now());
}
