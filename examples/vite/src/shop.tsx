import type { Plan, TeamSummary } from '@hearth/client';
import { useAction, useHearth, usePlans, useTeams } from '@hearth/client/react';
import { useState, type SubmitEvent } from 'react';
import { returnUrl } from './backend.ts';

/** The user's teams, and the plans to buy for the user or a team. */
export function Shop() {
  const hearth = useHearth();
  const [team, setTeam] = useState<string>();
  const teams = useTeams();
  const plans = usePlans();
  const creating = useAction(async (form: HTMLFormElement) => {
    setTeam((await teams.create({ name: new FormData(form).get('name') as string })).id);
    form.reset();
  });
  const buying = useAction(async (plan: string) => {
    // The page belongs to Stripe. It leads back to `returnUrl` with `?checkout=success`, `pending` or `cancelled`.
    const page = await hearth.billing.checkout(plan, { returnUrl, ...(team !== undefined && { team }) });
    location.assign(page);
  });
  const failure = teams.error ?? plans.error ?? creating.error ?? buying.error;
  return (
    <>
      {failure !== undefined && <p role="alert">{failure.message}</p>}
      {(teams.status === 'loading' || plans.status === 'loading') && <p>Loading</p>}
      {teams.data !== undefined && (
        <Teams teams={teams.data} chosen={team} choose={setTeam} create={creating.run} />
      )}
      {plans.data !== undefined && (
        <Plans
          plans={plans.data.filter((plan) => plan.for.includes(team === undefined ? 'user' : 'team'))}
          buy={buying.run}
        />
      )}
    </>
  );
}

interface TeamsProps {
  teams: TeamSummary[];
  chosen: string | undefined;
  choose: (teamId: string | undefined) => void;
  create: (form: HTMLFormElement) => Promise<void>;
}

function Teams({ teams, chosen, choose, create }: TeamsProps) {
  // React empties a form with an `action` after each submission, also after a refused name.
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void create(event.currentTarget);
  };
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
      <form onSubmit={onSubmit}>
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
