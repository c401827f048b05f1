import { BRAND } from '@hearth/shared/brand';
import { cleanName, cleanTeamName, unlinked } from '../../common/name.ts';
import type { Message } from '../outbox.store.ts';
import type { Language } from '../../settings/languages.ts';
import { textsIn } from '../texts/texts.ts';
import { formatDay } from './format.ts';
import { renderMail } from './layout.ts';

export interface InvitationMail {
  teamName: string;
  inviterName: string | undefined;
  /** Shown beside the name, because users choose their names freely. */
  inviterEmail: string;
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
    ...inviterOf(mail),
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

/** The inviter: the name for the subject, and the name with the verified address for the text. */
function inviterOf({ inviterName, inviterEmail }: InvitationMail): { inviter: string; sender: string } {
  const address = unlinked(inviterEmail);
  const name = cleanName(inviterName);
  if (name === null) return { inviter: address, sender: address };
  return { inviter: unlinked(name), sender: `${unlinked(name)} (${address})` };
}
