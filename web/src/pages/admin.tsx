import type { AdminSearch } from '@hearth/client';
import { useState } from 'preact/hooks';
import { asOperator } from '../admin/operator.ts';
import { TeamCard } from '../admin/team.tsx';
import { UserCard } from '../admin/user.tsx';
import { hearth } from '../backend/hearth.ts';
import { Button } from '../ui/button.tsx';
import { Card, Empty } from '../ui/card.tsx';
import { Field, Form, textOf } from '../ui/form.tsx';
import { SignedIn } from '../ui/signed-in.tsx';

/** For operators: finds users and teams. The backend decides whether the visitor is one. */
export const Page = () => <SignedIn>{() => <Admin />}</SignedIn>;

interface Chosen {
  type: 'user' | 'team';
  id: string;
}

function Admin() {
  const [found, setFound] = useState<AdminSearch>();
  const [chosen, setChosen] = useState<Chosen>();
  const search = async (data: FormData) => {
    const text = textOf(data, 'text').trim();
    setChosen(undefined);
    setFound(await asOperator(() => hearth.admin.search(text)));
  };
  const forget = () => {
    setChosen(undefined);
    setFound(undefined);
  };
  return (
    <div class="stack">
      <h1>Operators</h1>
      <Card title="Find a user or a team">
        <Form submit="Find" onSubmit={search}>
          <Field label="Address, id or short name" name="text" required maxLength={320} />
        </Form>
        {found !== undefined && <Results found={found} onChoose={setChosen} />}
      </Card>
      {chosen?.type === 'user' && <UserCard key={chosen.id} uid={chosen.id} onDeleted={forget} />}
      {chosen?.type === 'team' && <TeamCard key={chosen.id} teamId={chosen.id} onDeleted={forget} />}
    </div>
  );
}

function Results({ found, onChoose }: { found: AdminSearch; onChoose: (chosen: Chosen) => void }) {
  const users = found.users.map(({ uid, email }) => ({ type: 'user', id: uid, name: email ?? uid }) as const);
  const teams = found.teams.map(({ id, name }) => ({ type: 'team', id, name: `Team ${name}` }) as const);
  const results = [...users, ...teams];
  if (results.length === 0) return <Empty>Nothing has this address, id or short name.</Empty>;
  return (
    <ul class="rows">
      {results.map(({ type, id, name }) => (
        <li class="row" key={id}>
          <span class="row-text wrap">{name}</span>
          <Button
            kind="link"
            label={`Show ${name}`}
            onClick={() => {
              onChoose({ type, id });
            }}
          >
            Show
          </Button>
        </li>
      ))}
    </ul>
  );
}
