import { escapeHtml } from '../../http/html.ts';
import type { Message } from '../outbox.store.ts';
import { formatDay, htmlButton, htmlPage, oneLine } from './layout.ts';

export interface InvitationMail {
  teamName: string;
  /** The name of who invites or, without one, their address. */
  inviter: string;
  /** What the recipient will be in the team, such as "admin". */
  role: string;
  acceptUrl: string;
  rejectUrl: string;
  expiresAt: Date;
}

export function invitationMail(mail: InvitationMail): Message {
  const team = oneLine(mail.teamName);
  const inviter = oneLine(mail.inviter);
  const as = mail.role === 'member' ? 'a member' : `an ${mail.role}`;
  const until = formatDay(mail.expiresAt);
  const subject = `${inviter} invites you to ${team}`;
  return {
    subject,
    text: `Hello,

${inviter} invites you to join the team "${team}" as ${as}.

Accept the invitation, until ${until}:
${mail.acceptUrl}

Decline it:
${mail.rejectUrl}

If you do not know ${inviter}, ignore this mail.
`,
    html: htmlPage(
      subject,
      `<h1 style="font-size:20px">Join ${escapeHtml(team)}</h1>
<p><strong>${escapeHtml(inviter)}</strong> invites you to join the team
<strong>${escapeHtml(team)}</strong> as ${escapeHtml(as)}.</p>
<p>${htmlButton('Accept the invitation', mail.acceptUrl)}</p>
<p>It is open until ${until}. You can also <a href="${escapeHtml(mail.rejectUrl)}">decline it</a>.</p>
<p style="color:#6b6b66;font-size:14px">If you do not know ${escapeHtml(inviter)}, ignore this mail.</p>`,
    ),
  };
}
