import type { InboxMessage } from '@hearth/inbox';
import { inject } from 'vitest';

export type CodeKind = 'VERIFY_EMAIL' | 'PASSWORD_RESET' | 'RECOVER_EMAIL' | 'VERIFY_AND_CHANGE_EMAIL';

interface Mail {
  email: string;
  oobCode: string;
  requestType: CodeKind;
}

/** The code in the latest mail of a kind to an address: the Auth emulator keeps its mails instead of sending them. */
export async function codeMailedTo(email: string, kind: CodeKind): Promise<string> {
  const { urls, projectId } = inject('stack');
  const response = await fetch(`${urls.auth}/emulator/v1/projects/${projectId}/oobCodes`);
  const { oobCodes } = (await response.json()) as { oobCodes: Mail[] };
  const mail = oobCodes.findLast((sent) => sent.requestType === kind && sent.email === email.toLowerCase());
  if (mail === undefined) throw new Error(`No mail ${kind} to ${email}`);
  return mail.oobCode;
}

/** The messages of an address in the inbox of `npm start`, newest first. */
export async function mailShownTo(email: string): Promise<InboxMessage[]> {
  const response = await fetch(`${inject('stack').urls.inbox}/api/messages?to=${encodeURIComponent(email)}`);
  if (!response.ok) throw new Error(`The inbox answered ${response.status}`);
  return ((await response.json()) as { messages: InboxMessage[] }).messages;
}

/** The first link of the latest mail to an address with this subject, as somebody would follow it. */
export async function linkMailedTo(email: string, subject: RegExp): Promise<string> {
  const mail = (await mailShownTo(email)).find((message) => subject.test(message.subject));
  const link = mail?.links[0];
  if (link === undefined) throw new Error(`No mail ${subject.source} to ${email}`);
  return link;
}
