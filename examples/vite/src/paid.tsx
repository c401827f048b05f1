import { hearth } from './backend.ts';
import { useAnswer } from './load.ts';

const TITLES: Readonly<Record<string, string>> = {
  success: 'Thank you',
  pending: 'Your payment is being processed',
  cancelled: 'Nothing was charged',
};

/** The return page. Anybody can write its address, so the plans are read from the backend. */
export function Paid() {
  const outcome = new URLSearchParams(location.search).get('checkout') ?? '';
  const { answer, failure, again } = useAnswer(readPlans, 'plans');
  return (
    <section>
      <h1>{TITLES[outcome] ?? 'Your plans'}</h1>
      {failure !== undefined && <p role="alert">{failure}</p>}
      <ul>
        {answer?.map(({ id, name, plan }) => (
          <li key={id}>
            {name}: {plan}
          </li>
        ))}
      </ul>
      {outcome === 'pending' && <button onClick={again}>Check again</button>}
      <a href="/">Back to the plans</a>
    </section>
  );
}

/** The plan of the user and of each team. */
async function readPlans(signal: AbortSignal) {
  const session = await hearth.account.session({ signal });
  if (session === undefined) return [];
  const teams = await Promise.all(session.teams.map(({ id }) => hearth.teams.get(id, { signal })));
  return [{ id: session.user.uid, name: 'You', plan: session.plan }, ...teams];
}
