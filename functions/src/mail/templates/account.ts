import { BRAND } from '@hearth/shared/brand';
import { unlinked } from '../../common/name.ts';
import type { Language } from '../../settings/languages.ts';
import type { Message } from '../outbox.store.ts';
import { textsIn } from '../texts/texts.ts';
import { renderMail } from './layout.ts';

/** A mail with a link that only the owner of the mailbox may open. */
export interface AccountLinkMail {
  /** The address of the account. */
  email: string;
  url: string;
}

/** Greets a new user whose address is verified. */
export function welcomeMail({ url }: { url: string }, language: Language): Message {
  const texts = textsIn(language);
  return renderMail({ words: texts.welcome({ app: BRAND.name }), buttonUrl: url }, texts, language);
}

export function verificationMail({ email, url }: AccountLinkMail, language: Language): Message {
  const texts = textsIn(language);
  const words = texts.verification({ app: BRAND.name, email: unlinked(email) });
  return renderMail({ words, buttonUrl: url }, texts, language);
}

export function passwordResetMail({ email, url }: AccountLinkMail, language: Language): Message {
  const texts = textsIn(language);
  const words = texts.passwordReset({ app: BRAND.name, email: unlinked(email) });
  return renderMail({ words, buttonUrl: url }, texts, language);
}

export function accountDeletedMail(language: Language): Message {
  const texts = textsIn(language);
  return renderMail({ words: texts.accountDeleted({ app: BRAND.name }) }, texts, language);
}
