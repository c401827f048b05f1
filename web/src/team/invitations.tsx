import type { Role } from '@hearth/client';
import type { InvitationStatus } from '@hearth/shared/documents/invitation';
import { ROLES, can, isAtLeast } from '@hearth/shared/roles';
import { useState } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { valueOf } from '../backend/source.ts';
import { formatDate, inDays } from '../format.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { DataTable, SearchField, useSettled } from '../ui/data-table.tsx';
import { Field, Form, Select, textOf } from '../ui/form.tsx';
import { Message, type Hints } from '../ui/message.tsx';
import { showToast } from '../ui/toasts.tsx';
import { nameOf, type InvitationDocument, type TeamDocument } from './documents.ts';
import { useFoundInvitations } from './find-invitations.ts';
import { usePeople } from './queries.ts';

interface InvitationsProps {
  team: TeamDocument;
  /** The visitor's role. */
  role: Role;
}

const STATUSES: readonly (readonly [InvitationStatus, string])[] = [
  ['pending', 'Waiting for an answer'],
  ['accepted', 'Accepted'],
  ['rejected', 'Declined'],
  ['cancelled', 'Withdrawn'],
];

/** A form that invites, and the invitations of a team as a table. */
export function Invitations({ team, role }: InvitationsProps) {
  const [text, setText] = useState('');
  const [status, setStatus] = useState<InvitationStatus>('pending');
  const searched = useSettled(text);
  const paged = useFoundInvitations(team.id, searched, status);
  const hints = { no_seat: <SeatHint team={team} role={role} /> };
  return (
    <>
      <Card title="Invite">
        <InviteForm team={team} role={role} hints={hints} />
        <LinkForm team={team} role={role} hints={hints} />
      </Card>
      <Card title="Invitations">
        <div class="filters">
          <SearchField hint="The beginning of an address" value={text} onText={setText} />
          <Select label="Status" options={STATUSES} value={status} onSelect={setStatus} />
        </div>
        <DataTable
          names={['invitation', 'invitations']}
          columns={['Address', 'Role', 'Status', 'Actions']}
          paged={paged}
          isSearch={searched !== '' && paged.before === 0 && !paged.hasMore}
          empty={searched === '' ? EMPTY[status] : 'No address begins like this.'}
          row={(invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              mayHandle={isAtLeast(role, invitation.role)}
              hints={hints}
            />
          )}
        />
      </Card>
    </>
  );
}

const EMPTY: Readonly<Record<InvitationStatus, string>> = {
  pending: 'No invitation is open.',
  accepted: 'No invitation was accepted.',
  rejected: 'No invitation was declined.',
  cancelled: 'No invitation was withdrawn.',
};

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

/** Makes a link for somebody without an e-mail address. It is shown once, because only its hash is stored. */
function LinkForm({ team, role, hints }: InviteFormProps) {
  const [link, setLink] = useState<string>();
  const roles = ROLES.filter((candidate) => candidate !== 'owner' && isAtLeast(role, candidate)).reverse();
  const create = async (data: FormData) => {
    const chosen = data.get('link-role') === 'admin' ? 'admin' : 'member';
    setLink((await hearth.invitations.createLink(team.id, chosen)).acceptUrl);
    return 'Copy the link now. It is not shown again.';
  };
  return (
    <details>
      <summary>Invite somebody without an e-mail address</summary>
      <div class="stack-small">
        <p class="muted small">
          One person can join with the link. Send it only to the person whom you invite.
        </p>
        <Form kind="plain" submit="Make a link" onSubmit={create} hints={hints}>
          <Select
            label="Role of the person"
            name="link-role"
            options={roles.map((candidate) => [candidate, candidate])}
          />
        </Form>
        {link !== undefined && (
          <p class="actions">
            <code class="wrap">{link}</code>
            <CopyButton text={link} about="of the invitation" />
          </p>
        )}
      </div>
    </details>
  );
}

interface InvitationRowProps {
  invitation: InvitationDocument;
  mayHandle: boolean;
  hints: Hints;
}

function InvitationRow({ invitation, mayHandle, hints }: InvitationRowProps) {
  const { id, teamId, email, role, status } = invitation;
  const name = email === null ? 'invitation link' : `invitation for ${email}`;
  const { busy, outcome, run } = useAction();
  const resend = async () => {
    await hearth.invitations.resend(teamId, id);
    return 'Sent again.';
  };
  const withdraw = async () => {
    await hearth.invitations.cancel(teamId, id);
    showToast(`The ${name} is withdrawn.`);
  };
  return (
    <tr role="row">
      <td role="cell" class="main">
        <strong class="wrap">{email ?? 'Whoever has the link'}</strong>
      </td>
      <td role="cell">
        <span class="badge">{role}</span>
      </td>
      <td role="cell" class="muted small">
        {statusOf(invitation)}
      </td>
      <td role="cell">
        {status === 'pending' && (
          <div class="actions">
            {email !== null && <CopyButton text={hearth.invitations.acceptUrl(id)} about={`for ${email}`} />}
            {mayHandle && (
              <>
                {email !== null && (
                  <Button
                    kind="link"
                    busy={busy}
                    label={`Send again to ${email}`}
                    onClick={() => void run(resend)}
                  >
                    Send again
                  </Button>
                )}
                <Button
                  kind="danger-link"
                  busy={busy}
                  label={`Withdraw the ${name}`}
                  onClick={() => void run(withdraw)}
                >
                  Withdraw
                </Button>
              </>
            )}
          </div>
        )}
        <Message outcome={outcome} hints={hints} />
      </td>
    </tr>
  );
}

/** The state of an invitation, with its time. */
function statusOf({ status, expiresAt, respondedAt }: InvitationDocument): string {
  const now = new Date();
  if (status === 'pending') return `${expiresAt > now ? 'expires' : 'expired'} ${inDays(expiresAt, now)}`;
  const ended = { accepted: 'accepted', rejected: 'declined', cancelled: 'withdrawn' }[status];
  return respondedAt === null ? ended : `${ended} on ${formatDate(respondedAt)}`;
}

/** How a full team gets more seats: a link for a visitor who may buy them, and the name of an owner for another one. */
function SeatHint({ team, role }: InvitationsProps) {
  const owner = valueOf(usePeople(team.id, [team.ownerId]))?.[0];
  if (can(role, 'billing:manage')) {
    return (
      <p class="small">
        <a href={`/billing?team=${encodeURIComponent(team.id)}`}>See the plans with more seats</a>
      </p>
    );
  }
  return (
    <p class="small">
      {owner === undefined ? 'An owner of the team' : nameOf(owner)} can buy a plan with more seats.
    </p>
  );
}
