import type { Session } from '@hearth/client';
import { useSession, useTeam } from '@hearth/client/react';

const TITLES: Readonly<Record<string, string>> = {
  success: 'Thank you',
  pending: 'Your payment is being processed',
  cancelled: 'Nothing was charged',
};

/** The return page. Anybody can open its URL, so the plans are read from the backend. */
export function Paid({ session }: { session: Session }) {
  const outcome = new URLSearchParams(location.search).get('checkout') ?? '';
  const { reload } = useSession();
  return (
    <section>
      <h1>{TITLES[outcome] ?? 'Your plans'}</h1>
      <ul>
        <li>You: {session.plan}</li>
        {session.teams.map(({ id }) => (
          <TeamPlan key={id} teamId={id} />
        ))}
      </ul>
      {outcome === 'pending' && <button onClick={() => void reload()}>Check again</button>}
      <a href="/">Back to the plans</a>
    </section>
  );
}

function TeamPlan({ teamId }: { teamId: string }) {
  const { data, error, reload } = useTeam(teamId);
  if (data === undefined) return error === undefined ? null : <li role="alert">{error.message}</li>;
  return (
    <li>
      {data.name}: {data.plan} <button onClick={() => void reload()}>Refresh</button>
    </li>
  );
}
