import { BRAND } from '@hearth/shared/brand';
import { cleanName, cleanTeamName, unlinked } from '../../common/name.ts';
import type { Language } from '../../settings/languages.ts';
import type { Message } from '../outbox.store.ts';
import { textsIn } from '../texts/texts.ts';
import { formatDay } from './format.ts';
import { renderMail } from './layout.ts';

export interface InvitationMail {
  teamName: string;
  senderName: string | undefined;
  /** Shown beside the name, because users choose their names freely. */
  senderEmail: string;
  /** The role that the recipient will have in the team, such as "admin". */
  role: string;
  acceptUrl: string;
  rejectUrl: string;
  /** Stops all invitation mail to the recipient. */
  unsubscribeUrl: string;
  expiresAt: Date;
}

export function invitationMail(mail: InvitationMail, language: Language): Message {
  const texts = textsIn(language);
  const { decline, unsubscribe, ...words } = texts.invitation({
    app: BRAND.name,
    ...senderOf(mail),
    team: unlinked(cleanTeamName(mail.teamName)),
    role: texts.role(mail.role),
    until: formatDay(mail.expiresAt, language),
  });
  const links = [
    { label: decline, url: mail.rejectUrl },
    { label: unsubscribe, url: mail.unsubscribeUrl },
  ];
  return renderMail({ words, buttonUrl: mail.acceptUrl, links }, texts, language);
}

/** The sender: the name for the subject, and the name with the verified address for the text. */
function senderOf({ senderName, senderEmail }: InvitationMail): {
  sender: string;
  senderWithAddress: string;
} {
  const address = unlinked(senderEmail);
  const name = cleanName(senderName);
  if (name === null) return { sender: address, senderWithAddress: address };
  return { sender: unlinked(name), senderWithAddress: `${unlinked(name)} (${address})` };
}
