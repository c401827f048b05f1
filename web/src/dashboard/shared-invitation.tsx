import { hearth } from '../backend/hearth.ts';
import { useRequest } from '../backend/source.ts';
import { messageOf } from '../errors.ts';
import { Card } from '../ui/card.tsx';
import { Notice } from '../ui/message.tsx';
import { ReceivedInvitation, type OnAnswered } from './own-invitations.tsx';
import { dashboardTexts } from './texts.ts';

interface SharedInvitationProps {
  /** The parameter of the link that the visitor opened. */
  link: string;
  onAnswered: OnAnswered;
}

/** A shared invitation, opened by its link. The visitor confirms it here, because another site can open a link. */
export function SharedInvitation({ link, onAnswered }: SharedInvitationProps) {
  const read = useRequest(`invitation ${link}`, (signal) => hearth.invitations.describe(link, { signal }));
  if (read.state === 'loading') return null;
  if (read.state === 'failed') return <Notice kind="bad">{messageOf(read.error)}</Notice>;
  const { teamName, role, senderName, senderEmail, expiresAt } = read.value;
  const texts = dashboardTexts().sharedInvitation;
  return (
    <Card title={texts.title}>
      <p class="wrap">{texts.invitesYou(senderName ?? senderEmail)}</p>
      <ul class="rows">
        <ReceivedInvitation
          invitation={{ id: link, teamName, role, expiresAt: new Date(expiresAt) }}
          onAnswered={onAnswered}
        />
      </ul>
    </Card>
  );
}
