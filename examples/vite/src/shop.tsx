import type { Plan, TeamSummary } from '@hearth/client';
import { useState } from 'react';
import { hearth, returnUrl } from './backend.ts';
import { messageOf, useAnswer } from './load.ts';

/** The user's teams, and the plans to buy for the user or a team. */
export function Shop() {
  const [team, setTeam] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const { answer: teams, again } = useAnswer(
    async (signal) => (await hearth.teams.list({ signal })).items,
    'teams',
  );
  const { answer: plans } = useAnswer((signal) => hearth.billing.plans({ signal }), 'plans');

  async function attempt(action: () => Promise<void>) {
    setFailure(undefined);
    try {
      await action();
    } catch (error) {
      setFailure(messageOf(error));
    }
  }

  const create = (name: string) =>
    attempt(async () => {
      setTeam((await hearth.teams.create({ name })).id);
      again();
    });
  const buy = (plan: string) =>
    attempt(async () => {
      // The page belongs to Stripe. It leads back to `returnUrl` with `?checkout=success`, `pending` or `cancelled`.
      location.assign(
        await hearth.billing.checkout(plan, { returnUrl, ...(team !== undefined && { team }) }),
      );
    });

  if (teams === undefined || plans === undefined) return <p>Loading</p>;
  return (
    <>
      {failure !== undefined && <p role="alert">{failure}</p>}
      <Teams teams={teams} chosen={team} choose={setTeam} create={create} />
      <Plans
        plans={plans.filter((plan) => plan.for.includes(team === undefined ? 'user' : 'team'))}
        buy={buy}
      />
    </>
  );
}

interface TeamsProps {
  teams: TeamSummary[];
  chosen: string | undefined;
  choose: (teamId: string | undefined) => void;
  create: (name: string) => Promise<void>;
}

function Teams({ teams, chosen, choose, create }: TeamsProps) {
  return (
    <section>
      <h1>Who pays?</h1>
      <label>
        For{' '}
        <select
          value={chosen ?? ''}
          onChange={({ target }) => {
            choose(target.value === '' ? undefined : target.value);
          }}
        >
          <option value="">Yourself</option>
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <form action={(form: FormData) => create(form.get('name') as string)}>
        <label>
          New team <input name="name" required />
        </label>
        <button>Create the team</button>
      </form>
    </section>
  );
}

function Plans({ plans, buy }: { plans: Plan[]; buy: (slug: string) => Promise<void> }) {
  return (
    <section>
      <h2>Plans</h2>
      <ul>
        {plans.map(({ slug, name, description, prices }) => (
          <li key={slug}>
            {name}: {description}{' '}
            {prices !== null && <button onClick={() => void buy(slug)}>Buy {name}</button>}
          </li>
        ))}
      </ul>
    </section>
  );
}
