import type { Role } from '@hearth/client';
import { can } from '@hearth/shared/roles';
import { useState } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { forgetSignedIn } from '../backend/session.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm, requireTyped } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form, Select, textOf } from '../ui/form.tsx';
import { showToast } from '../ui/toasts.tsx';
import { valueOf } from '../backend/source.ts';
import { isLastOwner, nameOf, type MemberDocument, type TeamDocument } from './documents.ts';
import { useMembers, useOwners } from './queries.ts';

interface TeamSettingsProps {
  team: TeamDocument;
  uid: string;
  role: Role;
}

/** Renaming, handing over, leaving and deleting, as the visitor's role allows. */
export function TeamSettings({ team, uid, role }: TeamSettingsProps) {
  const members = valueOf(useMembers(can(role, 'team:transfer') ? team.id : undefined)) ?? [];
  const owners = valueOf(useOwners(team.id));
  const others = members.filter((member) => member.uid !== uid && member.uid !== team.ownerId);
  const isOnlyOwner = isLastOwner({ role }, owners);
  const isOffered = team.transfer ? team.transfer.expiresAt > new Date() : false;
  return (
    <Card title="Team settings">
      {can(role, 'team:update') && <Rename team={team} />}
      {can(role, 'team:transfer') && others.length > 0 && !isOffered && (
        <div class="actions">
          <Transfer team={team} others={others} />
        </div>
      )}
      <div class="actions divided">
        {isOnlyOwner && (
          <p class="muted small">A team needs an owner. Offer ownership to a member before you leave it.</p>
        )}
        {!isOnlyOwner && (
          <Confirm
            kind="danger-link"
            label="Leave the team"
            title={`Leave ${team.name}?`}
            confirm="Leave"
            onConfirm={async () => {
              await hearth.teams.removeMember(team.id, uid);
              forgetSignedIn();
              return `You have left ${team.name}.`;
            }}
          >
            You lose access at once, and need an invitation to come back.
          </Confirm>
        )}
        {can(role, 'team:delete') && (
          <Confirm
            kind="danger-link"
            label="Delete the team"
            title={`Delete ${team.name}?`}
            confirm="Delete for everybody"
            typed={{ label: 'Name of the team', name: team.name }}
            onConfirm={async () => {
              await hearth.teams.delete(team.id, { endSubscription: team.subscribed === true });
              forgetSignedIn();
              return `${team.name} is deleted.`;
            }}
          >
            All members and invitations go.
            {team.subscribed === true && ' The subscription of the team ends at once, without a refund.'} This
            cannot be undone.
          </Confirm>
        )}
      </div>
    </Card>
  );
}

function Rename({ team }: { team: TeamDocument }) {
  const rename = async (data: FormData) => {
    await hearth.teams.change(team.id, { name: textOf(data, 'name').trim() });
    forgetSignedIn();
    return 'The team has a new name.';
  };
  return (
    <Form class="inline-form" kind="plain" submit="Rename" onSubmit={rename}>
      <Field label="Name" name="name" required maxLength={100} defaultValue={team.name} autocomplete="off" />
    </Form>
  );
}

/** Two ways to share ownership, each of which waits for the consent of the member. */
const OFFERS = [
  ['transfer', 'They replace you as the owner'],
  ['co-owner', 'They become a second owner'],
] as const;

/** Offers ownership in a dialog that names the member. Whoever owns the team can delete it, so its name is typed. */
function Transfer({ team, others }: { team: TeamDocument; others: MemberDocument[] }) {
  const [uid, setUid] = useState('');
  const recipient = others.find((member) => member.uid === uid);
  const offer = async (data: FormData) => {
    requireTyped(team.name, textOf(data, 'confirmation'));
    const coOwner = textOf(data, 'kind') === 'co-owner';
    await hearth.teams.offerTransfer(team.id, { uid: textOf(data, 'uid'), coOwner });
    showToast('The offer is open for seven days.');
  };
  const name = recipient === undefined ? 'a member' : nameOf(recipient);
  return (
    <Dialog label="Offer ownership" title={`Offer ownership of ${team.name}`}>
      {(close) => (
        <>
          <p class="muted">Nothing changes before they accept. You can withdraw the offer until then.</p>
          <Form submit={`Offer ownership to ${name}`} onSubmit={offer}>
            <Select
              label="Member"
              name="uid"
              required
              options={[
                ['', 'Choose a member'],
                ...others.map((member) => [member.uid, nameOf(member)] as const),
              ]}
              onSelect={setUid}
            />
            <Select label="How" name="kind" options={OFFERS} />
            <Field label="Name of the team, to confirm" name="confirmation" autocomplete="off" required />
          </Form>
          <div class="actions">
            <Button onClick={close}>Cancel</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
