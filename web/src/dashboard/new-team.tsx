import { hearth } from '../backend/hearth.ts';
import { forgetSignedIn } from '../backend/session.ts';
import { Card } from '../ui/card.tsx';
import { Field, Form, textOf } from '../ui/form.tsx';
import { dashboardTexts } from './texts.ts';

interface NewTeamProps {
  isFirst: boolean;
  onCreated: (teamId: string) => void;
}

/** Creates a team. */
export function NewTeam({ isFirst, onCreated }: NewTeamProps) {
  const texts = dashboardTexts().newTeam;
  const create = async (data: FormData) => {
    const team = await hearth.teams.create({ name: textOf(data, 'name').trim() });
    forgetSignedIn();
    onCreated(team.id);
    return texts.isReady(team.name);
  };
  return (
    <Card title={isFirst ? texts.firstTitle : texts.title}>
      {isFirst && <p class="muted">{texts.first}</p>}
      <Form class="inline-form" kind="plain" submit={texts.create} onSubmit={create}>
        <Field label={texts.name} name="name" required maxLength={100} autocomplete="organization" />
      </Form>
    </Card>
  );
}
