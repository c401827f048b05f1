import { BRAND } from '@hearth/shared/brand';
import { cleanName, cleanTeamName, unlinked } from '../../common/name.ts';
import type { Language } from '../../settings/languages.ts';
import type { Message } from '../outbox.store.ts';
import { textsIn } from '../texts/texts.ts';
import { renderMail } from './layout.ts';

export interface JoinedMail {
  teamName: string;
  /** Name of the new member, if they have one. */
  memberName: string | null;
  memberEmail: string | null;
  role: string;
  /** The dashboard. */
  url: string;
}

/** Says to the sender of an invitation that it was accepted. */
export function joinedMail({ url, ...mail }: JoinedMail, language: Language): Message {
  const texts = textsIn(language);
  const words = texts.joined({
    app: BRAND.name,
    member: unlinked(cleanName(mail.memberName) ?? mail.memberEmail ?? texts.somebody),
    team: unlinked(cleanTeamName(mail.teamName)),
    role: texts.role(mail.role),
  });
  return renderMail({ words, buttonUrl: url }, texts, language);
}

export interface AskedMail {
  /** Address of the person who was invited. */
  email: string;
  teamName: string;
  /** The dashboard. */
  url: string;
}

/** Says to the sender of an invitation, or to an owner of the team, that the recipient asks for a new invitation. */
export function askedMail({ email, teamName, url }: AskedMail, language: Language): Message {
  const texts = textsIn(language);
  const words = texts.asked({
    app: BRAND.name,
    // Not `unlinked`: the reader copies this address. A member of the team entered it.
    member: email,
    team: unlinked(cleanTeamName(teamName)),
  });
  return renderMail({ words, buttonUrl: url }, texts, language);
}

/** Says to a former member that they were removed. */
export function removedMail(teamName: string, language: Language): Message {
  const texts = textsIn(language);
  const words = texts.removed({ app: BRAND.name, team: unlinked(cleanTeamName(teamName)) });
  return renderMail({ words }, texts, language);
}
