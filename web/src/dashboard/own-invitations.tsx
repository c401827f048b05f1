import { hearth } from '../backend/hearth.ts';
import { forgetSignedIn } from '../backend/session.ts';
import { valueOf } from '../backend/source.ts';
import { formatDate } from '../format.ts';
import { useOwnInvitations, type OwnInvitation } from '../team/queries.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Message, Unreadable } from '../ui/message.tsx';
import { dashboardTexts } from './texts.ts';

/** Called after a reply to an invitation, with a message, and with the team if one was joined. */
export type OnAnswered = (message: string, teamId?: string) => void;

interface OwnInvitationsProps {
  email: string | null;
  /** Whether an operator sees the service as the user. */
  isImpersonated: boolean;
  onAnswered: OnAnswered;
}

/** The open invitations of a verified address, live. Renders nothing if there are none. */
export function OwnInvitations({ email, isImpersonated, onAnswered }: OwnInvitationsProps) {
  const invitations = useOwnInvitations(email?.toLowerCase(), isImpersonated);
  if (invitations.state === 'failed')
    return <Unreadable what={dashboardTexts().invitations.list} retry={invitations.retry} />;
  const open = (valueOf(invitations) ?? []).filter(({ expiresAt }) => expiresAt > new Date());
  if (open.length === 0) return null;
  return (
    <Card title={dashboardTexts().invitations.title}>
      <ul class="rows">
        {open.map((invitation) => (
          <ReceivedInvitation key={invitation.id} invitation={invitation} onAnswered={onAnswered} />
        ))}
      </ul>
    </Card>
  );
}

interface ReceivedInvitationProps {
  /** For a shared invitation, the id is the parameter of its link. */
  invitation: OwnInvitation;
  onAnswered: OnAnswered;
}

/** An open invitation with buttons to reply. */
export function ReceivedInvitation({ invitation, onAnswered }: ReceivedInvitationProps) {
  const { id, teamName, role, expiresAt } = invitation;
  const { busy, outcome, run } = useAction();
  const { arrival, invitations: texts } = dashboardTexts();
  const accept = async () => {
    const teamId = await hearth.invitations.accept(id);
    forgetSignedIn();
    onAnswered(arrival.welcome(teamName), teamId);
  };
  const decline = async () => {
    await hearth.invitations.reject(id);
    onAnswered(arrival.declined);
  };
  return (
    <li class="row">
      <div class="row-text">
        <strong class="wrap">{teamName}</strong>
        <span class="muted small">{texts.offer(role, formatDate(expiresAt))}</span>
      </div>
      <div class="actions">
        <Button
          kind="primary"
          busy={busy}
          label={texts.acceptTeam(teamName)}
          onClick={() => void run(accept)}
        >
          {texts.accept}
        </Button>
        <Button busy={busy} label={texts.declineTeam(teamName)} onClick={() => void run(decline)}>
          {texts.decline}
        </Button>
      </div>
      <Message outcome={outcome} hints={{ no_seat: <p class="small">{texts.noSeat(teamName)}</p> }} />
    </li>
  );
}
