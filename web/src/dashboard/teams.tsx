import { hearth } from '../backend/hearth.ts';
import { forgetSignedIn } from '../backend/session.ts';
import type { Membership } from '../team/documents.ts';
import { useMemberships, useTeam } from '../team/queries.ts';
import { TeamPanel } from '../team/team-panel.tsx';
import { valueOf } from '../backend/source.ts';
import { Card } from '../ui/card.tsx';
import { Field, Form, textOf } from '../ui/form.tsx';
import { LiveList } from '../ui/live-list.tsx';

interface TeamsProps {
  uid: string;
  /** The team that is wanted; the first one where there is none. */
  shownId: string | undefined;
  onChoose: (teamId: string) => void;
}

/** The teams of who is signed in: one of them in full, the others to choose from. */
export function Teams({ uid, shownId, onChoose }: TeamsProps) {
  const memberships = useMemberships(uid);
  return (
    <LiveList items={memberships} what="teams" empty={<NoTeam onCreated={onChoose} />}>
      {(teams) => {
        const shown = teams.find(({ teamId }) => teamId === shownId) ?? teams[0];
        return (
          <div class="stack">
            <Switcher teams={teams} shown={shown?.teamId} onChoose={onChoose} />
            {shown !== undefined && <TeamPanel key={shown.teamId} uid={uid} membership={shown} />}
            <Card title="Another team">
              <NewTeam onCreated={onChoose} />
            </Card>
          </div>
        );
      }}
    </LiveList>
  );
}

function NoTeam({ onCreated }: { onCreated: (teamId: string) => void }) {
  return (
    <Card title="Your first team">
      <p class="muted">You are in no team yet. Create one, or open an invitation.</p>
      <NewTeam onCreated={onCreated} />
    </Card>
  );
}

interface SwitcherProps {
  teams: Membership[];
  shown: string | undefined;
  onChoose: (teamId: string) => void;
}

function Switcher({ teams, shown, onChoose }: SwitcherProps) {
  if (teams.length < 2) return null;
  return (
    <nav aria-label="Teams">
      <ul class="tabs">
        {teams.map(({ teamId }) => (
          <li key={teamId}>
            <TeamButton teamId={teamId} isShown={teamId === shown} onChoose={onChoose} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface TeamButtonProps {
  teamId: string;
  isShown: boolean;
  onChoose: (teamId: string) => void;
}

function TeamButton({ teamId, isShown, onChoose }: TeamButtonProps) {
  const team = valueOf(useTeam(teamId));
  return (
    <button
      type="button"
      class="tab"
      aria-current={isShown ? 'true' : undefined}
      onClick={() => {
        onChoose(teamId);
      }}
    >
      {team?.name ?? '…'}
    </button>
  );
}

function NewTeam({ onCreated }: { onCreated: (teamId: string) => void }) {
  const create = async (data: FormData) => {
    const team = await hearth.teams.create({ name: textOf(data, 'name').trim() });
    forgetSignedIn();
    onCreated(team.id);
    return `${team.name} is ready. Invite somebody.`;
  };
  return (
    <Form class="inline-form" minor submit="Create team" onSubmit={create}>
      <Field label="New team" name="name" required maxLength={100} autocomplete="organization" />
    </Form>
  );
}
