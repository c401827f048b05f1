import type { AdminSearch } from '@hearth/client';
import { useState } from 'preact/hooks';
import { AddressCard } from '../admin/address.tsx';
import { asOperator } from '../admin/operator.ts';
import { TeamCard } from '../admin/team.tsx';
import { adminTexts } from '../admin/texts.ts';
import { UserCard } from '../admin/user.tsx';
import { hearth } from '../backend/hearth.ts';
import { Button } from '../ui/button.tsx';
import { Card, Empty } from '../ui/card.tsx';
import { Field, Form, textOf } from '../ui/form.tsx';
import { SignedIn } from '../ui/signed-in.tsx';

/** For operators: finds users and teams. The backend decides whether the visitor is one. */
export const Page = () => <SignedIn>{() => <Admin />}</SignedIn>;

interface Chosen {
  /** An address is that of nobody's account. */
  type: 'user' | 'team' | 'address';
  id: string;
}

function Admin() {
  const [found, setFound] = useState<AdminSearch>();
  const [chosen, setChosen] = useState<Chosen>();
  const search = async (data: FormData) => {
    const text = textOf(data, 'text').trim();
    setChosen(undefined);
    const matches = await asOperator(() => hearth.admin.search(text));
    setFound(matches);
    if (text.includes('@') && matches.users.length === 0) setChosen({ type: 'address', id: text });
  };
  const forget = () => {
    setChosen(undefined);
    setFound(undefined);
  };
  const texts = adminTexts().search;
  return (
    <div class="stack">
      <h1>{texts.title}</h1>
      <Card title={texts.card}>
        <Form submit={texts.submit} onSubmit={search}>
          <Field label={texts.label} name="text" required maxLength={320} />
        </Form>
        {found !== undefined && <Results found={found} onChoose={setChosen} />}
      </Card>
      {chosen?.type === 'user' && <UserCard key={chosen.id} uid={chosen.id} onDeleted={forget} />}
      {chosen?.type === 'address' && <AddressCard key={chosen.id} email={chosen.id} />}
      {chosen?.type === 'team' && <TeamCard key={chosen.id} teamId={chosen.id} onDeleted={forget} />}
    </div>
  );
}

function Results({ found, onChoose }: { found: AdminSearch; onChoose: (chosen: Chosen) => void }) {
  const texts = adminTexts().search;
  const users = found.users.map(({ uid, email }) => ({ type: 'user', id: uid, name: email ?? uid }) as const);
  const teams = found.teams.map(({ id, name }) => ({ type: 'team', id, name: texts.team(name) }) as const);
  const results = [...users, ...teams];
  if (results.length === 0) return <Empty>{texts.nothing}</Empty>;
  return (
    <ul class="rows">
      {results.map(({ type, id, name }) => (
        <li class="row" key={id}>
          <span class="row-text wrap">{name}</span>
          <Button
            kind="link"
            label={texts.showOne(name)}
            onClick={() => {
              onChoose({ type, id });
            }}
          >
            {texts.show}
          </Button>
        </li>
      ))}
    </ul>
  );
}
