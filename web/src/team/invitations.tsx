import type { Role } from '@hearth/client';
import { ROLES, can, isAtLeast } from '@hearth/shared/roles';
import { hearth } from '../backend/hearth.ts';
import type { Live } from '../backend/source.ts';
import { inDays } from '../format.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Field, Form, Select, textOf } from '../ui/form.tsx';
import { LiveList } from '../ui/live-list.tsx';
import { Message, type Hints } from '../ui/message.tsx';
import { showToast } from '../ui/toasts.tsx';
import { nameOf, type InvitationDocument, type MemberDocument, type TeamDocument } from './documents.ts';

interface InvitationsProps {
  team: TeamDocument;
  /** The visitor's role. */
  role: Role;
  members: MemberDocument[];
  invitations: Live<InvitationDocument[]>;
}

export function Invitations({ invitations, ...inviter }: InvitationsProps) {
  const { team, role } = inviter;
  const hints = { no_seat: <SeatHint {...inviter} /> };
  return (
    <Card title="Invite">
      <InviteForm team={team} role={role} hints={hints} />
      <div class="divided stack-small">
        <h3>Waiting for an answer</h3>
        <LiveList items={invitations} what="invitations" empty="No invitation is open.">
          {(list) => (
            <ul class="rows">
              {list.map((invitation) => (
                <InvitationRow
                  key={invitation.id}
                  invitation={invitation}
                  mayHandle={isAtLeast(role, invitation.role)}
                  hints={hints}
                />
              ))}
            </ul>
          )}
        </LiveList>
      </div>
    </Card>
  );
}

interface InviteFormProps {
  team: TeamDocument;
  role: Role;
  hints: Hints;
}

function InviteForm({ team, role, hints }: InviteFormProps) {
  const roles = ROLES.filter((candidate) => isAtLeast(role, candidate)).reverse();
  const send = async (data: FormData) => {
    const chosen = roles.find((candidate) => candidate === data.get('role')) ?? 'member';
    const { email } = await hearth.invitations.send(team.id, textOf(data, 'email'), chosen);
    return `${email} is invited.`;
  };
  return (
    <Form submit="Send invitation" onSubmit={send} hints={hints}>
      <div class="pair">
        <Field
          label="E-mail"
          name="email"
          type="email"
          required
          maxLength={254}
          autocomplete="off"
          placeholder="name@example.com"
        />
        <Select label="Role" name="role" options={roles.map((candidate) => [candidate, candidate])} />
      </div>
    </Form>
  );
}

interface InvitationRowProps {
  invitation: InvitationDocument;
  mayHandle: boolean;
  hints: Hints;
}

function InvitationRow({ invitation, mayHandle, hints }: InvitationRowProps) {
  const { id, teamId, email, role, expiresAt } = invitation;
  const { busy, outcome, run } = useAction();
  const now = new Date();
  const resend = async () => {
    await hearth.invitations.resend(teamId, id);
    return 'Sent again.';
  };
  const withdraw = async () => {
    await hearth.invitations.cancel(teamId, id);
    showToast(`The invitation for ${email} is withdrawn.`);
  };
  return (
    <li class="row">
      <div class="row-text">
        <strong class="wrap">{email}</strong>
        <span class="muted small">
          as {role} · {expiresAt > now ? 'expires' : 'expired'} {inDays(expiresAt, now)}
        </span>
      </div>
      <div class="actions">
        <CopyButton text={hearth.invitations.acceptUrl(id)} about={`for ${email}`} />
        {mayHandle && (
          <>
            <Button kind="link" busy={busy} label={`Send again to ${email}`} onClick={() => void run(resend)}>
              Send again
            </Button>
            <Button
              kind="link"
              busy={busy}
              label={`Withdraw the invitation for ${email}`}
              onClick={() => void run(withdraw)}
            >
              Withdraw
            </Button>
          </>
        )}
      </div>
      <Message outcome={outcome} hints={hints} />
    </li>
  );
}

/** How a full team gets more seats: a link for a visitor who may buy them, and the name of an owner for another one. */
function SeatHint({ team, role, members }: Omit<InvitationsProps, 'invitations'>) {
  if (can(role, 'billing:manage')) {
    return (
      <p class="small">
        <a href={`/billing?team=${encodeURIComponent(team.id)}`}>See the plans with more seats</a>
      </p>
    );
  }
  const owner = members.find(({ uid }) => uid === team.ownerId);
  return (
    <p class="small">
      {owner === undefined ? 'An owner of the team' : nameOf(owner)} can buy a plan with more seats.
    </p>
  );
}
