import type { Role } from '@hearth/client';
import { can } from '@hearth/shared/roles';
import { hearth } from '../backend/hearth.ts';
import { forgetSignedIn } from '../backend/session.ts';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Field, Form, Select, textOf } from '../ui/form.tsx';
import { nameOf, type MemberDocument, type TeamDocument } from './documents.ts';

interface TeamSettingsProps {
  team: TeamDocument;
  uid: string;
  role: Role;
  members: MemberDocument[];
}

/** Renaming, handing over, leaving and deleting, as far as the role reaches. */
export function TeamSettings({ team, uid, role, members }: TeamSettingsProps) {
  const others = members.filter((member) => member.uid !== uid && member.uid !== team.ownerId);
  const isOffered = team.transfer ? team.transfer.expiresAt > new Date() : false;
  return (
    <Card title="Team settings">
      {can(role, 'team:update') && <Rename team={team} />}
      {can(role, 'team:transfer') && others.length > 0 && !isOffered && (
        <Transfer team={team} others={others} />
      )}
      <div class="actions divided">
        <Confirm
          kind="link"
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
        {can(role, 'team:delete') && (
          <Confirm
            kind="link"
            label="Delete the team"
            title={`Delete ${team.name}?`}
            confirm="Delete for everybody"
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
    <Form class="inline-form" minor submit="Rename" onSubmit={rename}>
      <Field label="Name" name="name" required maxLength={100} defaultValue={team.name} autocomplete="off" />
    </Form>
  );
}

/** Two ways to share ownership, each of which waits for the consent of the member. */
const OFFERS = [
  ['transfer', 'They replace you as the owner'],
  ['co-owner', 'They become a second owner'],
] as const;

function Transfer({ team, others }: { team: TeamDocument; others: MemberDocument[] }) {
  const offer = async (data: FormData) => {
    const coOwner = textOf(data, 'kind') === 'co-owner';
    await hearth.teams.offerTransfer(team.id, { uid: textOf(data, 'uid'), coOwner });
    return 'The offer is open for seven days.';
  };
  return (
    <Form minor submit="Offer ownership" onSubmit={offer}>
      <Select
        label="Offer ownership to"
        name="uid"
        options={others.map((member) => [member.uid, nameOf(member)])}
      />
      <Select label="How" name="kind" options={OFFERS} />
    </Form>
  );
}
