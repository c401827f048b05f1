import escapeHtml from 'escape-html';
import { cleanName, cleanTeamName, unlinked } from '../../common/name.ts';
import type { Message } from '../outbox.store.ts';
import { formatDay, htmlButton, htmlPage } from './layout.ts';

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

export function renderInvitation(mail: InvitationMail): Message {
  const { inviter, sender } = inviterOf(mail);
  const team = unlinked(cleanTeamName(mail.teamName));
  const as = mail.role === 'member' ? 'a member' : `an ${mail.role}`;
  const until = formatDay(mail.expiresAt);
  const subject = `${inviter} invites you to ${team}`;
  return {
    subject,
    text: `Hello,

${sender} invites you to join the team "${team}" as ${as}.

Accept the invitation, until ${until}:
${mail.acceptUrl}

Decline it:
${mail.rejectUrl}

If you do not know ${inviter}, ignore this mail.

Stop invitation mail from this app:
${mail.unsubscribeUrl}
`,
    html: htmlPage(
      subject,
      `<h1 style="font-size:20px">Join ${escapeHtml(team)}</h1>
<p><strong>${escapeHtml(sender)}</strong> invites you to join the team
<strong>${escapeHtml(team)}</strong> as ${escapeHtml(as)}.</p>
<p>${htmlButton('Accept the invitation', mail.acceptUrl)}</p>
<p>It is open until ${until}. You can also <a href="${escapeHtml(mail.rejectUrl)}">decline it</a>.</p>
<p style="color:#6b6b66;font-size:14px">If you do not know ${escapeHtml(inviter)}, ignore this mail.</p>
<p style="color:#6b6b66;font-size:14px"><a href="${escapeHtml(mail.unsubscribeUrl)}">Stop invitation mail from this app</a></p>`,
    ),
  };
}

/** The inviter: the name for the subject, and the name with the verified address for the text. */
function inviterOf({ inviterName, inviterEmail }: InvitationMail): { inviter: string; sender: string } {
  const address = unlinked(inviterEmail);
  const name = cleanName(inviterName);
  if (name === null) return { inviter: address, sender: address };
  return { inviter: unlinked(name), sender: `${unlinked(name)} (${address})` };
}
