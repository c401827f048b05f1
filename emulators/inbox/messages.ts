import { z } from 'zod';

/** A mail as the inbox shows it. */
export interface InboxMessage {
  /** Unique and stable. */
  id: string;
  /** The sender: this backend, or Firebase Auth. */
  source: 'backend' | 'auth';
  to: string[];
  subject: string;
  text: string;
  html: string | null;
  /** Every http(s) URL in the mail, in order, each once. */
  links: string[];
  /** State of the delivery in `mail/`; null for Firebase Auth's, which the emulator sends nowhere. */
  state: string | null;
  error: string | null;
  /** When it was written, as an ISO 8601 time. */
  at: string;
}

const text = z.string().catch('');

/** A document in `mail/` that an operator wrote by hand may have invalid fields. They are shown as empty. */
const mailSchema = z.object({
  to: z.union([z.array(z.string()), z.string().transform((address) => [address])]).catch([]),
  message: z
    .object({ subject: text, text, html: z.string().nullable().catch(null) })
    .catch({ subject: '', text: '', html: null }),
  delivery: z
    .object({ state: z.string().nullable().catch(null), error: z.string().nullable().catch(null) })
    .catch({ state: null, error: null }),
});

/** A document of `mail/`, as plain values. */
export function messageOfDocument(id: string, createTime: string, fields: unknown): InboxMessage {
  const { to, message, delivery } = mailSchema.parse(fields);
  return {
    id: `mail-${id}`,
    source: 'backend',
    to,
    ...message,
    links: linksIn(message.text),
    ...delivery,
    at: createTime,
  };
}

export const oobCodesSchema = z.object({
  oobCodes: z
    .array(z.object({ email: z.string(), requestType: z.string(), oobCode: z.string(), oobLink: z.string() }))
    .default([]),
});

export type OobCode = z.output<typeof oobCodesSchema>['oobCodes'][number];

const AUTH_MAILS: Readonly<Record<string, { subject: string; action: string }>> = {
  VERIFY_EMAIL: { subject: 'Verify your e-mail address', action: 'Verify the address' },
  PASSWORD_RESET: { subject: 'Reset your password', action: 'Choose a new password' },
  EMAIL_SIGNIN: { subject: 'Sign in', action: 'Sign in' },
  VERIFY_AND_CHANGE_EMAIL: { subject: 'Confirm your new e-mail address', action: 'Confirm the address' },
  RECOVER_EMAIL: { subject: 'Your e-mail address was changed', action: 'Take the old address back' },
};

/**
 * The mail that Firebase Auth would send with a code. The emulator only makes the link, so the words are ours.
 *
 * @param actionUrl the page for the link; undefined for the emulator's own
 */
export function messageOfCode(
  { email, requestType, oobCode, oobLink }: OobCode,
  at: string,
  actionUrl: string | undefined,
): InboxMessage {
  const link = actionUrl === undefined ? oobLink : `${actionUrl}${new URL(oobLink).search}`;
  const { subject, action } = AUTH_MAILS[requestType] ?? { subject: requestType, action: 'Go on' };
  return {
    id: `auth-${oobCode}`,
    source: 'auth',
    to: [email],
    subject,
    text: `${action}:\n${link}\n`,
    html: null,
    links: [link],
    state: null,
    error: null,
    at,
  };
}

function linksIn(body: string): string[] {
  return [...new Set(body.match(/https?:\/\/[^\s<>"']+/g) ?? [])];
}
