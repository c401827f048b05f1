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
import { EmailField } from '../ui/email-field.tsx';
import { Form, Select, textOf } from '../ui/form.tsx';
import { Message, type Hints } from '../ui/message.tsx';
import { uiTexts } from '../ui/texts.ts';
import { showToast } from '../ui/toasts.tsx';
import { nameOf, type InvitationDocument, type TeamDocument } from './documents.ts';
import { useFoundInvitations } from './find-invitations.ts';
import { usePeople } from './queries.ts';
import { teamTexts } from './texts.ts';

interface InvitationsProps {
  team: TeamDocument;
  /** The visitor's role. */
  role: Role;
}

const STATUSES = [
  'pending',
  'accepted',
  'rejected',
  'cancelled',
] as const satisfies readonly InvitationStatus[];

/** A form that invites, and the invitations of a team as a table. */
export function Invitations({ team, role }: InvitationsProps) {
  const [text, setText] = useState('');
  const [status, setStatus] = useState<InvitationStatus>('pending');
  const searched = useSettled(text);
  const paged = useFoundInvitations(team.id, searched, status);
  const hints = { no_seat: <SeatHint team={team} role={role} /> };
  const texts = teamTexts().invitations;
  return (
    <>
      <Card title={texts.invite}>
        <InviteForm team={team} role={role} hints={hints} />
        <LinkForm team={team} role={role} hints={hints} />
      </Card>
      <Card title={uiTexts().titles.invitations}>
        <div class="filters">
          <SearchField hint={texts.hint} value={text} onText={setText} />
          <Select
            label={texts.status}
            options={STATUSES.map((option) => [option, texts.statuses[option]])}
            value={status}
            onSelect={setStatus}
          />
        </div>
        <DataTable
          names={texts.names}
          columns={texts.columns}
          paged={paged}
          isSearch={searched !== '' && paged.before === 0 && !paged.hasMore}
          empty={searched === '' ? texts.noneWithStatus[status] : texts.noneFound}
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

interface InviteFormProps {
  team: TeamDocument;
  role: Role;
  hints: Hints;
}

function InviteForm({ team, role, hints }: InviteFormProps) {
  const { invitations: texts, roles: names } = teamTexts();
  const roles = ROLES.filter((candidate) => isAtLeast(role, candidate)).reverse();
  const send = async (data: FormData) => {
    const chosen = roles.find((candidate) => candidate === data.get('role')) ?? 'member';
    const { email } = await hearth.invitations.send(team.id, textOf(data, 'email'), chosen);
    return texts.sent(email);
  };
  return (
    <Form submit={texts.send} onSubmit={send} hints={hints}>
      <div class="pair">
        <EmailField label={texts.email} autocomplete="off" placeholder="name@example.com" />
        <Select
          label={texts.role}
          name="role"
          options={roles.map((candidate) => [candidate, names[candidate]])}
        />
      </div>
    </Form>
  );
}

/** Makes a link for somebody without an e-mail address. It is shown once, because only its hash is stored. */
function LinkForm({ team, role, hints }: InviteFormProps) {
  const [link, setLink] = useState<string>();
  const { link: texts, roles: names } = teamTexts();
  const roles = ROLES.filter((candidate) => candidate !== 'owner' && isAtLeast(role, candidate)).reverse();
  const create = async (data: FormData) => {
    const chosen = data.get('link-role') === 'admin' ? 'admin' : 'member';
    setLink((await hearth.invitations.createLink(team.id, chosen)).acceptUrl);
    return texts.made;
  };
  return (
    <details>
      <summary>{texts.summary}</summary>
      <div class="stack-small">
        <p class="muted small">{texts.lead}</p>
        <Form kind="plain" submit={texts.make} onSubmit={create} hints={hints}>
          <Select
            label={texts.role}
            name="link-role"
            options={roles.map((candidate) => [candidate, names[candidate]])}
          />
        </Form>
        {link !== undefined && (
          <p class="actions">
            <code class="wrap">{link}</code>
            <CopyButton text={link} about={texts.copyAbout} />
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
  const { invitations: texts, roles } = teamTexts();
  const { busy, outcome, run } = useAction();
  const resend = async () => {
    await hearth.invitations.resend(teamId, id);
    return texts.resent;
  };
  const withdraw = async () => {
    await hearth.invitations.cancel(teamId, id);
    showToast(texts.withdrawn(email));
  };
  return (
    <tr role="row">
      <td role="cell" class="main">
        <strong class="wrap">{email ?? texts.linkHolder}</strong>
      </td>
      <td role="cell">
        <span class="badge">{roles[role]}</span>
      </td>
      <td role="cell" class="muted small">
        {statusOf(invitation)}
      </td>
      <td role="cell">
        {status === 'pending' && (
          <div class="actions">
            {email !== null && (
              <CopyButton text={hearth.invitations.acceptUrl(id)} about={texts.copyFor(email)} />
            )}
            {mayHandle && (
              <>
                {email !== null && (
                  <Button
                    kind="link"
                    busy={busy}
                    label={texts.resendTo(email)}
                    onClick={() => void run(resend)}
                  >
                    {texts.resend}
                  </Button>
                )}
                <Button
                  kind="danger-link"
                  busy={busy}
                  label={texts.withdrawOne(email)}
                  onClick={() => void run(withdraw)}
                >
                  {texts.withdraw}
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
  const texts = teamTexts().invitations;
  const now = new Date();
  if (status !== 'pending')
    return texts.ended[status](respondedAt === null ? undefined : formatDate(respondedAt));
  const when = inDays(expiresAt, now);
  return expiresAt > now ? texts.expires(when) : texts.expired(when);
}

/** How a full team gets more seats: a link for a visitor who may buy them, and the name of an owner for another one. */
function SeatHint({ team, role }: InvitationsProps) {
  const owner = valueOf(usePeople(team.id, [team.ownerId]))?.[0];
  const texts = teamTexts().invitations;
  if (can(role, 'billing:manage')) {
    return (
      <p class="small">
        <a href={`/billing?team=${encodeURIComponent(team.id)}`}>{texts.seePlans}</a>
      </p>
    );
  }
  return <p class="small">{texts.buyer(owner === undefined ? undefined : nameOf(owner))}</p>;
}
