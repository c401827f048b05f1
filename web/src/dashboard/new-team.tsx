import { hearth } from '../backend/hearth.ts';
import { forgetSignedIn } from '../backend/session.ts';
import { Card } from '../ui/card.tsx';
import { Field, Form, textOf } from '../ui/form.tsx';

interface NewTeamProps {
  isFirst: boolean;
  onCreated: (teamId: string) => void;
}

/** Creates a team. */
export function NewTeam({ isFirst, onCreated }: NewTeamProps) {
  const create = async (data: FormData) => {
    const team = await hearth.teams.create({ name: textOf(data, 'name').trim() });
    forgetSignedIn();
    onCreated(team.id);
    return `${team.name} is ready. Invite somebody.`;
  };
  return (
    <Card title={isFirst ? 'Your first team' : 'Another team'}>
      {isFirst && <p class="muted">You are in no team yet. Create one, or open an invitation.</p>}
      <Form class="inline-form" kind="plain" submit="Create team" onSubmit={create}>
        <Field label="New team" name="name" required maxLength={100} autocomplete="organization" />
      </Form>
    </Card>
  );
}
