import { valueOf } from '../backend/live.ts';
import { hearth } from '../backend/hearth.ts';
import { formatDate } from '../format.ts';
import type { InvitationDocument } from '../team/documents.ts';
import { useOwnInvitations } from '../team/queries.ts';
import { Card } from '../ui/card.tsx';

/** What a person with a verified address is invited to, as it comes and goes; nothing where there is none. */
export function OwnInvitations({ email }: { email: string | null }) {
  const invitations = useOwnInvitations(email?.toLowerCase());
  const open = (valueOf(invitations) ?? []).filter(({ expiresAt }) => expiresAt > new Date());
  if (open.length === 0) return null;
  return (
    <Card title="You are invited">
      <ul class="rows">
        {open.map((invitation) => (
          <OwnInvitation key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </Card>
  );
}

function OwnInvitation({ invitation }: { invitation: InvitationDocument }) {
  const { id, teamName, role, expiresAt } = invitation;
  return (
    <li class="row">
      <div class="row-text">
        <strong class="wrap">{teamName}</strong>
        <span class="muted small">
          as {role} · open until {formatDate(expiresAt)}
        </span>
      </div>
      <div class="actions">
        <a class="button primary" href={hearth.invitations.acceptUrl(id)}>
          Accept<span class="visually-hidden"> the invitation to {teamName}</span>
        </a>
        <a class="button" href={hearth.invitations.rejectUrl(id)}>
          Decline<span class="visually-hidden"> the invitation to {teamName}</span>
        </a>
      </div>
    </li>
  );
}
